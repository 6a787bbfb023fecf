/** The pieces of norn's policy for clusters. All are on; bench/ablation measures what each is worth. */
export interface Pieces {
  /** Random executions whose steps have learnt weights: see step-learning.ts. */
  readonly weights: boolean
  /** A step's weight counts the news of the steps after it. */
  readonly gains: boolean
  /** What is usual in a situation of the nodes does not count for a step that was made in it. */
  readonly situations: boolean
  /** News count for more where steps of their class have shown little. */
  readonly rarity: boolean
  /** Random executions in which nothing arrives on one channel for a long time. */
  readonly holds: boolean
  /** Executions that return to a rare cell and continue at random: see archive.ts. */
  readonly returns: boolean
  /** Mutants of the execution that reached a rare cell: see step-mutation.ts. */
  readonly mutants: boolean
  /** Executions that go on with what reached a rare cell: `StepMutation.stretch`. */
  readonly stretches: boolean
  /** A model follows only some of the executions where new states abound: see follow-share.ts. */
  readonly samples: boolean
  /** Shares of these follow what they show; else they are equal: see arms.ts. */
  readonly shares: boolean
}

export const ALL_PIECES: Pieces = {
  weights: true,
  gains: true,
  situations: true,
  rarity: true,
  holds: true,
  returns: true,
  mutants: true,
  stretches: true,
  samples: true,
  shares: true,
}
