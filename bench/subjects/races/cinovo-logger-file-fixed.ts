// cinovo-logger-file has no release without its race, so this wrapper closes it: log calls that arrive while a roll is
// under way are held back until the new file is open and the old one closed. Same default export as the package, so
// that it can take its place by alias. It names the package's file, not the package, so that the alias does not catch
// this import as well.
import createEndpoint from 'cinovo-logger-file-buggy/index.js'

type Done = (error?: Error | null) => void

const openEndpoint: typeof createEndpoint = (...parameters) => {
  const opened = parameters[10]
  parameters[10] = (error, endpoint) => {
    if (endpoint) holdWhileRolling(endpoint)
    opened(error, endpoint)
  }
  createEndpoint(...parameters)
}

function holdWhileRolling(endpoint: Parameters<Parameters<typeof createEndpoint>[10]>[1] & object): void {
  const log = endpoint._log.bind(endpoint)
  const roll = endpoint.rollFile.bind(endpoint)
  const held: { entry: unknown; done: Done }[] = []
  let rolling = false

  endpoint._log = (entry, done) => {
    if (rolling) held.push({ entry, done })
    else log(entry, done)
  }

  endpoint.rollFile = (done) => {
    if (rolling) return done()
    rolling = true
    roll((error) => {
      rolling = false
      done(error)
      for (const { entry, done } of held.splice(0)) endpoint._log(entry, done)
    })
  }
}

export default openEndpoint
