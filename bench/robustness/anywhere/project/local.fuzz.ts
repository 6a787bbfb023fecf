import { fc, fuzz } from 'norn'

fuzz('local', { hours: fc.integer({ min: 0, max: 20 }) }, async ({ hours }) => {
  await new Promise((resolve) => setTimeout(resolve, hours * 3_600_000))
  if (hours < 10) return
  const now = new Date()
  const sorted = ['ä', 'z', 'a', 'ı'].sort((a, b) => a.localeCompare(b))
  const number = (1234.5).toLocaleString()
  throw new Error(
    `${now} ${now.toLocaleString()} ${number} ${sorted} ${'I'.toLocaleLowerCase()} ${process.env.NODE_ENV}`,
  )
})
