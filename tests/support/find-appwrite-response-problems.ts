/** docs/appwrite.md explains the intended differences listed here. */
import findMyWay, { type HTTPMethod } from 'find-my-way'
import {
  findAppwriteModelProblems,
  isAppwriteModel,
  publishedAppwriteOperations,
} from './find-appwrite-model-problems.ts'

export type RecordedResponse = {
  method: string
  url: string
  status: number
  body: unknown
}

/** Appwrite servers answer these statuses instead of the described ones. */
const answeredStatus: Record<string, number> = {
  'PUT /account/sessions/magic-url': 201,
  'PUT /account/sessions/phone': 201,
  'GET /account/sessions/oauth2/{}': 302,
}

/** Newer paths, each with the older one that describes it. */
const moved: Record<string, string> = {
  'POST /account/sessions': 'POST /account/sessions/email',
  'POST /account/sessions/token': 'PUT /account/sessions/phone',
  'POST /account/tokens/email': 'POST /account/sessions/phone',
  'POST /account/tokens/magic-url': 'POST /account/sessions/magic-url',
  'POST /account/tokens/phone': 'POST /account/sessions/phone',
  'GET /account/tokens/oauth2/{}': 'GET /account/sessions/oauth2/{}',
  'POST /account/jwts': 'POST /account/jwt',
  'POST /account/verifications/email': 'POST /account/verification',
  'PUT /account/verifications/email': 'PUT /account/verification',
  'POST /account/verifications/phone': 'POST /account/verification/phone',
  'PUT /account/verifications/phone': 'PUT /account/verification/phone',
}

const calls = findMyWay()
for (const call of [...Object.keys(publishedAppwriteOperations), ...Object.keys(moved)]) {
  const [method = '', path = ''] = call.split(' ')
  const pattern = path.split('/').map((part, number) => (part === '{}' ? `:${number}` : part))
  calls.on(method as HTTPMethod, `/v1${pattern.join('/')}`, () => {}, moved[call] ?? call)
}

/** @returns for example `GET /account/sessions/{}` */
export const findPublishedAppwriteCall = (method: string, url: string): string | undefined =>
  calls.find(method as HTTPMethod, url.replace(/\?.*/s, ''))?.store as string | undefined

export function findAppwriteResponseProblems(answer: RecordedResponse): string[] {
  const { method, url, status } = answer
  if (!url.startsWith('/v1/')) return []
  const call = findPublishedAppwriteCall(method, url)
  const problems = status >= 400 ? problemsOfRefusal(answer) : call ? problemsOfAnswer(call, answer) : []
  return problems.map((problem) => `${call ?? `${method} ${url}`} ${status}: ${problem}`)
}

function problemsOfAnswer(call: string, { url, status, body }: RecordedResponse): string[] {
  const published = publishedAppwriteOperations[call]
  // Binary responses have no model, and a range request may change their status.
  if (!published || (published.status === 200 && published.model === undefined)) return []
  const { model } = published
  const expected = answeredStatus[call] ?? published.status
  const other = status === expected ? [] : [`${expected} was published`]
  if (model === undefined) return body === undefined ? other : [...other, 'it has a body']
  // A `select` query also removes system attributes.
  return isAppwriteModel(model)
    ? [...other, ...findAppwriteModelProblems(model, body, url.includes('select'))]
    : other
}

/** `code` is described as text, but Appwrite servers send a number and the SDKs expect one. */
function problemsOfRefusal({ status, body }: RecordedResponse): string[] {
  if (body === undefined) return []
  const { code, ...rest } = body as Record<string, unknown>
  const problems = findAppwriteModelProblems('error', { ...rest, code: String(code) })
  return code === status ? problems : [...problems, `its code says ${code}`]
}
