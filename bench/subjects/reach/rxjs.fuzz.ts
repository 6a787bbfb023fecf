// rxjs: mergeMap shows the answer to an older search; switchMap does not.
import assert from 'node:assert/strict'
import { lastValueFrom, mergeMap, Subject, switchMap, toArray } from 'rxjs'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('rxjs: the last search is shown', async ({ isFixed }) => {
  const searches = new Subject<number>()
  const search = async (term: number) => {
    await pause()
    return `answer ${term}`
  }
  const shown = lastValueFrom(searches.pipe(isFixed ? switchMap(search) : mergeMap(search), toArray()))
  await twice(async (term) => searches.next(term))
  searches.complete()
  assert.equal((await shown).at(-1), 'answer 2')
})
