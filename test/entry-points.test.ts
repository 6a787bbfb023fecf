/** What the packages publish: an export is a promise to test authors, so each is listed here and documented. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

const FUZZ = ['draw', 'fc', 'fuzz', 'note', 'outOfEntropy', 'target', 'withoutFaults']
const FUZZ_TYPES = ['Arbitraries', 'Body', 'PropertyOptions', 'SearchLimits']
const TLA_VALUES = ['TlaError', 'checkSpecification', 'tla']
const TLA_TYPES = [
  ...['CheckOptions', 'CheckResult', 'CheckedSpecification', 'ErrorResult', 'LogAction', 'LogEvent', 'LogMapper'],
  ...['LogSettings', 'MappedLine', 'Order', 'Place', 'StepResult', 'TlaExpression', 'VectorTime'],
]
const NODE_TYPES = ['CheckSpecificationOptions', 'NamedOptions', 'ValidateOptions', 'ValidatedLog']
const MODEL_TYPES = ['AbstractState', 'Action', 'Applied', 'Model', 'Parameters', 'Transitions']

/** All of norn-history but what norn replaces: `record`. */
const HISTORY = [
  'Anomaly',
  'AnomalyType',
  'CONSISTENCIES',
  'Consistency',
  'CycleStep',
  'EdgeName',
  'End',
  'EventReader',
  'History',
  'HistoryBuilder',
  'HistoryError',
  'HistoryEvent',
  'HistoryFormat',
  'HistoryRecorder',
  'HistoryWatch',
  'IllegalResult',
  'IsolationOptions',
  'IsolationResult',
  'LinearizabilityMonitor',
  'LinearizabilityOptions',
  'LinearizabilityResult',
  'LinearizableResult',
  'MODELS',
  'MODEL_NAMES',
  'MaelstromBody',
  'MicroOperation',
  'ModelError',
  'ModelInput',
  'ModelName',
  'MonitorOptions',
  'ObjectModel',
  'Operation',
  'Outcome',
  'PageOptions',
  'ReadOptions',
  'Reading',
  'RecordedMethods',
  'Recording',
  'States',
  'Transaction',
  'UnknownResult',
  'Window',
  'Workload',
  'checkIsolation',
  'checkLinearizable',
  'forbids',
  'historyLines',
  'historyPage',
  'impossibleModels',
  'isEqual',
  'isMaelstromBody',
  'maelstromEnd',
  'maelstromInput',
  'orderOf',
  'parseHistory',
  'readHistory',
  'readingFor',
  'timelineText',
  'transactionReading',
  'weakest',
  'windowText',
]
const ORACLES = [
  'CheckedRecordOptions',
  'HistoryOracle',
  'HistorySource',
  'HistoryViolation',
  'IsolationOracleOptions',
  'LinearizableOptions',
  'ObjectMapping',
  'RequestReading',
  'UndecidedHistory',
  'isolation',
  'linearizable',
  'objectOf',
  'record',
]

/** Exports by entry point, values first. */
const PUBLISHED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  norn: {
    '.': [
      ...FUZZ,
      'defineConfig',
      'fromBytes',
      'mariadb',
      'postgres',
      'redis',
      ...FUZZ_TYPES,
      'DatabaseOptions',
      'FastCheckProperty',
      'Fuzz',
      'FuzzProperty',
      'MariadbOptions',
      'NornConfiguration',
      'PostgresOptions',
      'RedisOptions',
    ],
    './vitest': ['cluster', ...FUZZ, ...FUZZ_TYPES],
    './node-test': ['cluster', ...FUZZ, ...FUZZ_TYPES],
    './tla': [...TLA_VALUES, 'tlaModel', 'validateLog', ...TLA_TYPES, ...NODE_TYPES, ...MODEL_TYPES, 'TlaModelOptions'],
    './history': [...HISTORY, ...ORACLES, ...MODEL_TYPES],
    './cluster': [
      ...[
        'actors',
        'cluster',
        'defineModel',
        'disabled',
        'findExecution',
        'frames',
        'loadFrames',
        'logText',
        'program',
      ],
      ...['reachable', 'reducer', 'runFramed', 'scenario'],
      ...[
        'Actor',
        'ActorContext',
        'ActorFactory',
        'Cluster',
        'ClusterOptions',
        'ClusterPredicate',
        'ClusterView',
        'Data',
      ],
      ...['Effect', 'Effects', 'FaultQuotas', 'FindOptions', 'FramePredicate', 'FramedExecution', 'FramedRun'],
      ...['FramesSearched', 'KeyFrame', 'KeyFrames', 'Liveness', 'LogEntry', 'MessagePredicate', 'MessageView'],
      ...['ModelBinding', 'ModelDefinition', 'NetworkOptions', 'NodeEvent', 'NodeId', 'NodeView', 'ProgramOptions'],
      ...[
        'ProgramSystem',
        'Reachable',
        'Reducer',
        'ReducerEvent',
        'RequestView',
        'Rule',
        'Scenario',
        'ScenarioOptions',
      ],
      ...['Self', 'System', ...MODEL_TYPES],
    ],
  },
  maelstrom: {
    '.': [
      ...['maelstrom', 'workload', 'MaelstromOptions', 'MaelstromRequest', 'ServiceName'],
      ...['WorkloadName', 'WorkloadOptions'],
    ],
  },
  fleet: {},
  tla: {
    '.': [
      ...TLA_VALUES,
      'parseSpecification',
      ...TLA_TYPES,
      'CheckTextsOptions',
      'ParsedModule',
      'SpecificationTexts',
      'TlaErrorKind',
      'Warning',
    ],
    './node': [...TLA_VALUES, 'validateLog', ...TLA_TYPES, ...NODE_TYPES],
  },
  history: {
    '.': [...HISTORY, 'record', 'RecordOptions'],
    './node': ['HistoryError', 'HistoryLimitError', 'readHistoryFile', 'ReadFileOptions', 'ReadOptions'],
  },
}

/** Entry points for packages of norn alone: marked @internal as a whole. */
const INTERNAL = [
  ...['tla ./node/internal', 'tla ./engine', 'tla ./cli', 'history ./cli'],
  ...['norn ./internal/cluster', 'norn ./internal/session', 'fleet .'],
]

/** Entry points that are another package. */
const WHOLE = { 'norn ./maelstrom': 'norn-maelstrom' }

const entries = Object.keys(PUBLISHED).flatMap((folder) => {
  const path = join(ROOT, 'packages', folder, 'package.json')
  const { exports } = JSON.parse(readFileSync(path, 'utf8')) as { exports: Record<string, string | Conditions> }
  return Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string' || `${folder} ${name}` in WHOLE
      ? []
      : [{ folder, name, file: resolve(dirname(path), target['norn-source']) }],
  )
})

interface Conditions {
  readonly 'norn-source': string
}

interface Exported {
  readonly name: string
  /** The file that declares it, or re-exports it further; undefined for one of another package. */
  readonly from: string | undefined
}

/** What begins a declaration, in a regular expression. */
const KIND = '(?:const|(?:async )?function|class|interface|type)'

/** The names that a file exports. */
function exportsOf(file: string): Exported[] {
  const text = readFileSync(file, 'utf8')
  expect(text, 'an entry point names its exports').not.toMatch(/^export \*/m)
  const declared = [...text.matchAll(new RegExp(`^export ${KIND} (\\w+)\\b(?! *\\{)`, 'gm'))]
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm)]
  return [
    ...declared.map(([, name]) => ({ name: name!, from: file })),
    ...listed.flatMap(([, names, specifier]) => {
      const from =
        specifier === undefined ? file : specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined
      return names!.split(',').flatMap((each) => {
        const name = each.replace(/\btype\b/, '').trim()
        return name === '' ? [] : [{ name, from }]
      })
    }),
  ]
}

/** The comment before a declaration; undefined if there is none. */
function docOf(name: string, file: string): string | undefined {
  const text = readFileSync(file, 'utf8')
  const declaration = new RegExp(`^(?:export )?${KIND} ${name}\\b`, 'm').exec(text)
  if (declaration === null) {
    const further = exportsOf(file).find((each) => each.name === name)?.from
    return further === undefined || further === file ? undefined : docOf(name, further)
  }
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:\/\/.*\n)*$/.exec(text.slice(0, declaration.index))?.[0]
}

describe.each(entries)('$folder $name', ({ folder, name, file }) => {
  if (INTERNAL.includes(`${folder} ${name}`)) {
    test('is marked as internal', () => {
      expect(readFileSync(file, 'utf8')).toMatch(/^\/\*\*[\s\S]*?@internal/)
    })
    return
  }

  test('exports exactly what is listed', () => {
    const names = exportsOf(file).map((each) => each.name)
    expect(names.sort()).toEqual([...PUBLISHED[folder]![name]!].sort())
  })

  test('documents each export, and marks it as public', () => {
    const unmarked = exportsOf(file).filter((each) => {
      if (each.from === undefined || each.name === 'fc') return false
      return docOf(each.name, each.from)?.includes('@public') !== true
    })
    expect(unmarked.map((each) => each.name)).toEqual([])
  })
})

test.each(Object.entries(WHOLE))('%s is %s', (entry, name) => {
  const [folder, specifier] = entry.split(' ') as [string, string]
  const path = join(ROOT, 'packages', folder, 'package.json')
  const { exports } = JSON.parse(readFileSync(path, 'utf8')) as { exports: Record<string, Record<string, string>> }
  for (const file of Object.values(exports[specifier]!))
    expect(readFileSync(resolve(dirname(path), file), 'utf8')).toMatch(new RegExp(`^export \\* from '${name}'$`, 'm'))
})

test.each([
  ['cluster', 'maelstrom'],
  ['session', 'fleet'],
])('norn/internal/%s exports only what norn-%s uses', (entry, folder) => {
  const sources = join(ROOT, 'packages', folder, 'src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const text = files.map((name) => readFileSync(join(sources, name), 'utf8')).join('\n')
  const names = exportsOf(join(ROOT, 'packages/norn/src/internal', `${entry}.ts`)).map((each) => each.name)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})
