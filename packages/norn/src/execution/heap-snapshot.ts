/** The objects of this process and who refers to whom, from V8's heap snapshot, taken and read at once. */
import { hostRequire, internalBinding } from '../loader/internals.ts'

const { Uint8Array: RealUint8Array } = globalThis
const { getHeapStatistics } = hostRequire('node:v8') as typeof import('node:v8')
const binding = internalBinding<{
  createHeapSnapshotStream(options: Uint8Array): SnapshotHandle
}>('heap_utils')
const { kReadBytesOrError, kArrayBufferOffset, streamBaseState } = internalBinding<{
  kReadBytesOrError: number
  kArrayBufferOffset: number
  streamBaseState: Int32Array
}>('stream_wrap')

interface SnapshotHandle {
  onread: (bytes?: ArrayBuffer) => void
  /** Writes the whole snapshot before it returns. */
  readStart(): void
}

interface SerializedSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
      readonly edge_fields: readonly string[]
      readonly edge_types: readonly [readonly string[]]
    }
  }
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly strings: readonly string[]
}

/** A reference: `property`, `element`, `context` for a variable, `internal`, `hidden`, `weak`, `shortcut`. */
export interface Reference {
  readonly from: number
  readonly to: number
  readonly type: string
  /** Of the property or variable; a number of an element. */
  readonly name: string
}

/** Objects are numbers, counted from 0. */
export class HeapSnapshot {
  readonly #raw: SerializedSnapshot
  readonly #fields: number
  readonly #edgeFields: number
  readonly #types: readonly string[]
  readonly #edgeTypes: readonly string[]
  /** Where the references to an object begin in `#retainers`, and its own in the edges. */
  readonly #firstRetainer: Uint32Array
  readonly #firstEdge: Uint32Array
  /** Numbers of edges, and for each edge the object that it comes from. */
  readonly #retainers: Uint32Array
  readonly #origins: Uint32Array

  private constructor(raw: SerializedSnapshot) {
    const { meta } = raw.snapshot
    this.#raw = raw
    this.#fields = meta.node_fields.length
    this.#edgeFields = meta.edge_fields.length
    this.#types = meta.node_types[0]
    this.#edgeTypes = meta.edge_types[0]
    const edgeCount = meta.node_fields.indexOf('edge_count')
    const count = raw.nodes.length / this.#fields
    const edges = raw.edges.length / this.#edgeFields
    this.#firstEdge = new Uint32Array(count + 1)
    this.#firstRetainer = new Uint32Array(count + 2)
    this.#origins = new Uint32Array(edges)
    this.#retainers = new Uint32Array(edges)
    for (let node = 0, edge = 0; node < count; node++) {
      this.#firstEdge[node] = edge
      const end = edge + raw.nodes[node * this.#fields + edgeCount]!
      for (; edge < end; edge++) {
        this.#origins[edge] = node
        this.#firstRetainer[this.#target(edge) + 2]!++
      }
      this.#firstEdge[node + 1] = edge
    }
    for (let node = 0; node <= count; node++) this.#firstRetainer[node + 1]! += this.#firstRetainer[node]!
    for (let edge = 0; edge < edges; edge++) this.#retainers[this.#firstRetainer[this.#target(edge) + 1]!++] = edge
  }

  /** Stops the process while it looks. Undefined where that would take several times the memory of a large heap. */
  static take(): HeapSnapshot | undefined {
    if (getHeapStatistics().used_heap_size > MAX_HEAP) return undefined
    const chunks: Buffer[] = []
    const handle = binding.createHeapSnapshotStream(new RealUint8Array([0, 0]))
    handle.onread = (bytes) => {
      const length = streamBaseState[kReadBytesOrError]!
      if (bytes !== undefined && length > 0)
        chunks.push(Buffer.from(bytes, streamBaseState[kArrayBufferOffset], length))
    }
    handle.readStart()
    const bytes = Buffer.concat(chunks)
    return new HeapSnapshot(JSON.parse(bytes.toString()) as SerializedSnapshot)
  }

  typeOf(node: number): string {
    return this.#types[this.#raw.nodes[node * this.#fields]!]!
  }

  /** The constructor of an object, the function of a closure. */
  nameOf(node: number): string {
    return this.#raw.strings[this.#raw.nodes[node * this.#fields + 1]!]!
  }

  /** What an object refers to. */
  referencesOf(node: number): Reference[] {
    const [first, end] = [this.#firstEdge[node]!, this.#firstEdge[node + 1]!]
    return Array.from({ length: end - first }, (_, at) => this.#reference(first + at))
  }

  /** What refers to an object. */
  retainersOf(node: number): Reference[] {
    const edges = this.#retainers.subarray(this.#firstRetainer[node]!, this.#firstRetainer[node + 1]!)
    return Array.from(edges, (edge) => this.#reference(edge))
  }

  /** An object with a property of this name; undefined if there is none. */
  withProperty(name: string): number | undefined {
    const id = this.#raw.strings.indexOf(name)
    const [fields, type] = [this.#edgeFields, this.#edgeTypes.indexOf('property')]
    for (let edge = 0; edge < this.#origins.length; edge++) {
      if (this.#raw.edges[edge * fields] === type && this.#raw.edges[edge * fields + 1] === id)
        return this.#origins[edge]
    }
    return undefined
  }

  #target(edge: number): number {
    return this.#raw.edges[edge * this.#edgeFields + 2]! / this.#fields
  }

  #reference(edge: number): Reference {
    const [type, name] = [this.#raw.edges[edge * this.#edgeFields]!, this.#raw.edges[edge * this.#edgeFields + 1]!]
    const typeName = this.#edgeTypes[type]!
    const isNumber = typeName === 'element' || typeName === 'hidden'
    return {
      from: this.#origins[edge]!,
      to: this.#target(edge),
      type: typeName,
      name: isNumber ? String(name) : this.#raw.strings[name]!,
    }
  }
}

/** In bytes: the snapshot as text is as large, and takes four times that once it is read. */
const MAX_HEAP = 100_000_000
