/**
 * A drawing as plain data: the elements of an SVG. The file is their markup (svg.ts), and the page of a
 * report makes its elements of them, so that both draw with the same code, and Node needs no compiler
 * for it.
 */

export interface Shape {
  readonly tag: 'g' | 'path' | 'circle' | 'rect' | 'text' | 'title' | 'defs' | 'marker'
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly (Shape | string)[]
}

export function shape(tag: Shape['tag'], attributes: Shape['attributes'], ...children: Shape['children']): Shape {
  return { tag, attributes, children }
}

/** Coordinates to a tenth of a pixel: short, and the same everywhere. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
