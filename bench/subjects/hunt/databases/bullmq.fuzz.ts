// bullmq: each job is done once, one at a time of those that deduplicate, and a parent after its children.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlowProducer, Queue, Worker } from 'bullmq'
import { fc, fuzz } from 'norn'

const job = fc.record({ at: fc.integer({ min: 0, max: 10 }), kind: fc.constantFrom('plain', 'once', 'flow') })
const worker = fc.record({ at: fc.integer({ min: 0, max: 10 }), work: fc.integer({ min: 0, max: 8 }) })

fuzz(
  'bullmq: each job is done once, and a parent after its children',
  { jobs: fc.array(job, { minLength: 1, maxLength: 4 }), workers: fc.array(worker, { minLength: 1, maxLength: 2 }) },
  async ({ jobs, workers }) => {
    const { hostname: host, port } = new URL(process.env.REDIS_URL!)
    const connection = { host, port: Number(port) }
    const queues = [1, 2].map(() => new Queue('jobs', { connection }))
    const flows = new FlowProducer({ connection })
    const added = new Set<string>()
    const ended: string[] = []
    let once = 0
    const working: Worker[] = []
    const begin = async ({ at, work }: { at: number; work: number }) => {
      await sleep(at)
      working.push(
        new Worker(
          'jobs',
          async ({ id, name, data }) => {
            if (name === 'once') assert.equal(once++, 0, 'two jobs of one deduplication run')
            if (name === 'parent')
              assert.ok(
                data.children.every((child: string) => ended.includes(child)),
                'a parent runs before its children',
              )
            await sleep(work)
            if (name === 'once') once--
            ended.push(id!)
          },
          { connection, drainDelay: 1, concurrency: 2 },
        ),
      )
    }
    await Promise.all([
      ...workers.map(begin),
      ...jobs.map(async ({ at, kind }, index) => {
        await sleep(at)
        if (kind === 'flow') {
          const children = [1, 2].map((child) => ({
            name: 'child',
            queueName: 'jobs',
            data: {},
            opts: { jobId: `${index}-${child}` },
          }))
          const ids = children.map(({ opts }) => opts.jobId)
          const opts = { jobId: `${index}-parent` }
          await flows.add({ name: 'parent', queueName: 'jobs', data: { children: ids }, opts, children })
          for (const id of [...ids, opts.jobId]) added.add(id)
        } else {
          const options = kind === 'once' ? { deduplication: { id: 'once' } } : {}
          added.add((await queues[index % 2]!.add(kind, {}, options)).id!)
        }
      }),
    ])
    await sleep(2000)
    await Promise.all([...working, ...queues, flows].map((each) => each.close()))
    assert.deepEqual(ended.sort(), [...added].sort())
  },
)
