/**
 * Models outlive executions. The modules of a file are instantiated anew for each; its models are
 * not, since an abstract state is to have one identity in all executions, and what a model has
 * worked out once need not be worked out again.
 *
 * So of each cluster the model that was made first is kept. A model is a pure function of the
 * actions that it is told of, and so the one that was made later would say the same.
 */
import type { Model } from '../model/model.ts'
import type { ModelBinding } from './definition.ts'

const MODELS = new Map<string, Model>()

export function keptModel(cluster: string, binding: ModelBinding): ModelBinding {
  const kept = MODELS.get(cluster)
  if (kept !== undefined) return { ...binding, model: kept }
  MODELS.set(cluster, binding.model)
  return binding
}
