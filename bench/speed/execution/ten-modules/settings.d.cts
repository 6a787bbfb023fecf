export const SEPARATOR: string
export const RETRIES: number
