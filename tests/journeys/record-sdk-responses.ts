/** Records a browser's responses, and compares them with the published description. */
import type { BrowserContext, Response } from '@playwright/test'
import {
  findAppwriteResponseProblems,
  findPublishedAppwriteCall,
} from '#tests/support/find-appwrite-response-problems.ts'

export type RecordedResponses = {
  /**
   * Responses are lost when the page is left.
   * @throws the first error while reading
   */
  read(): Promise<void>
  served: ReadonlySet<string>
  problems: ReadonlySet<string>
}

export function recordResponses(context: BrowserContext, origin: string): RecordedResponses {
  const reading: Promise<PromiseSettledResult<void>[]>[] = []
  const served = new Set<string>()
  const problems = new Set<string>()

  const take = async (response: Response) => {
    const url = response.url().slice(origin.length)
    const method = response.request().method()
    const status = response.status()
    const isJson = response.headers()['content-type']?.startsWith('application/json')
    const body = isJson ? await response.json() : undefined
    for (const problem of findAppwriteResponseProblems({ method, url, status, body })) problems.add(problem)
    const call = findPublishedAppwriteCall(method, url)
    if (call && status < 400) served.add(call)
  }
  context.on('response', (response) => {
    if (response.url().startsWith(`${origin}/`)) reading.push(Promise.allSettled([take(response)]))
  })

  const read = async () => {
    for (const result of (await Promise.all(reading)).flat())
      if (result.status === 'rejected') throw result.reason
  }
  return { read, served, problems }
}
