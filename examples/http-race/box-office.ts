/** A box office over HTTP, with a race between two requests. */
import { readFile, writeFile } from 'node:fs/promises'
import express from 'express'

/** `POST /seats/4?name=ada` sells a seat, once; `GET /seats/4` tells whose it is. */
export function boxOffice(file: string): express.Express {
  const app = express()

  app.post('/seats/:seat', async (request, response) => {
    const sold = JSON.parse(await readFile(file, 'utf8'))
    if (request.params.seat in sold) return void response.status(409).send('taken')
    sold[request.params.seat] = request.query.name
    await writeFile(file, JSON.stringify(sold))
    response.status(201).send('yours')
  })

  app.get('/seats/:seat', async (request, response) => {
    const sold = JSON.parse(await readFile(file, 'utf8'))
    response.json(sold[request.params.seat] ?? null)
  })

  return app
}
