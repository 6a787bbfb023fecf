export class AmountError extends Error {
  override name = 'AmountError'
}

export class RetriesSpent extends Error {
  override name = 'RetriesSpent'
}
