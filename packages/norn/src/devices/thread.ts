/** The thread that owns the real connections of devices, while the main thread runs an execution or waits for it. */
import { threadId, workerData } from 'node:worker_threads'
import { Course } from './course.ts'
import { type Device, DeviceError, NOTHING, type Outcome } from './device.ts'
import { deviceOf } from './devices.ts'
import type { DeviceReply, DeviceRequest, DevicesData } from './messages.ts'

const { port, replies, targets, patienceMs } = workerData as DevicesData
const devices: Device[] = targets.map((_, index) => made(index, 0))
/** Of each that takes part in this execution. */
const courses = new Map<Device, Course>()
/** Those that were left. */
const abandoned: Device[] = []

/** Requests are carried out in their order. */
const requests: DeviceRequest[] = []
port.on('message', (request: DeviceRequest) => {
  if (requests.push(request) === 1) void work()
})

async function work(): Promise<void> {
  for (let request = requests[0]; request !== undefined; requests.shift(), [request] = requests) {
    if (request.type !== 'end') await answer(request)
    else {
      courses.clear()
      for (const index of devices.keys()) await patiently(index, (device) => device.end()).catch(() => leave(index))
    }
  }
}

async function answer(request: Exclude<DeviceRequest, { type: 'end' }>): Promise<void> {
  let reply: DeviceReply
  try {
    reply = { outcome: await patiently(request.device, (device) => carriedOut(device, request)) }
  } catch (error) {
    reply = { failed: error instanceof DeviceError ? error.message : ((error as Error).stack ?? String(error)) }
  }
  port.postMessage(reply)
  Atomics.add(replies, 0, 1)
  Atomics.notify(replies, 0)
}

async function carriedOut(device: Device, request: Exclude<DeviceRequest, { type: 'end' }>): Promise<Outcome> {
  const course = courses.get(device) ?? new Course(device)
  courses.set(device, course)
  if (request.type !== 'restart') return course.carryOut(request)
  await course.restart(request.lost, request.atUs)
  return NOTHING
}

/** What a device does; one that takes too long is left for another, since the main thread is not to wait for ever. */
async function patiently<Result>(index: number, call: (device: Device) => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      leave(index)
      const text = `no answer within ${patienceMs / 1000} s, and it waits for nothing that norn knows`
      reject(new DeviceError(`database ${targets[index]!.name}: ${text}`))
    }, patienceMs)
  })
  try {
    return await Promise.race([call(devices[index]!), late])
  } finally {
    clearTimeout(timer)
  }
}

/** What is not known to be put back is not used again. */
function leave(index: number): void {
  const device = devices[index]!
  devices[index] = made(index, abandoned.push(device))
  void device.dispose().catch(() => {})
}

function made(index: number, count: number): Device {
  return deviceOf(targets[index]!, `${process.pid}_${threadId}_${count}`)
}
