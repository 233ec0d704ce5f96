import type { ApiResponse, MemberClient } from '#api-client/member-client.ts'
import { type CollectionChange, catchUpOperation } from '#contract/realtime/realtime.ts'
import type {
  PermissionMatrixColumn,
  PermissionMatrixOutcome,
  PermissionMatrixRowId,
} from '#scripts/docs/permission-matrix.ts'
import { type PermissionMatrixActors, secretGroupTextFixture } from './actors.ts'

export type AccessAttemptContext = {
  cast: PermissionMatrixActors
  column: PermissionMatrixColumn
  /** A permitted attempt must use a new object, because the shared ones must not change. */
  succeeds: boolean
}

export type AccessAttempt = {
  row: PermissionMatrixRowId
  path: string
  act(who: MemberClient, scene: AccessAttemptContext): Promise<PermissionMatrixOutcome>
  /** A permitted attempt changes data; a refused one must not. */
  writes?: true
  except?: Partial<Record<PermissionMatrixColumn, PermissionMatrixOutcome>>
  worded?: Partial<Record<PermissionMatrixOutcome, PermissionMatrixOutcome>>
  only?: readonly PermissionMatrixColumn[]
}

/** The Appwrite API's 401 counts as the operations' 403. */
export function toMatrixOutcome({ status, body }: ApiResponse): PermissionMatrixOutcome {
  if (status < 400) return 'ok'
  const forbidden = status === 401 && (body as { type?: string }).type === 'user_unauthorized'
  return forbidden ? '403' : (String(status) as PermissionMatrixOutcome)
}

/** Any of these words would reveal the object. */
export function checkResponseMentions(answer: ApiResponse, ...words: string[]): PermissionMatrixOutcome {
  if (answer.status >= 400) return toMatrixOutcome(answer)
  const said = JSON.stringify(answer.body)
  return words.some((word) => said.includes(word)) ? 'ok' : 'E'
}

export function checkResponseCount(
  answer: ApiResponse,
  count: (body: never) => unknown,
  withIt: number,
): PermissionMatrixOutcome {
  if (answer.status >= 400) return toMatrixOutcome(answer)
  const counted = count(answer.body as never)
  if (counted === withIt) return 'ok'
  if (counted === withIt - 1) return 'E'
  throw new Error(`It counts ${counted}, which is neither ${withIt} nor one less.`)
}

export const defineReadAttempts = (
  row: PermissionMatrixRowId,
  paths: Record<string, AccessAttempt['act']>,
): AccessAttempt[] => Object.entries(paths).map(([path, act]) => ({ row, path, act }))

export const defineWriteAttempts = (
  row: PermissionMatrixRowId,
  paths: Record<string, AccessAttempt['act']>,
): AccessAttempt[] => defineReadAttempts(row, paths).map((attempt) => ({ ...attempt, writes: true }))

/** A deletion without content only says that the caller lost access, so it reveals nothing. */
export async function checkCatchUpReveals(
  who: MemberClient,
  cast: PermissionMatrixActors,
  collections: string,
  id: string,
): Promise<PermissionMatrixOutcome> {
  const answer = await who.ask(catchUpOperation, { since: cast.position, collections })
  if (answer.status >= 400) return toMatrixOutcome(answer)
  const { changes } = answer.body as { changes: CollectionChange[] }
  const [change] = changes.filter(({ document }) => document.$id === id)
  if (change?.kind === 'delete' && !JSON.stringify(change).includes(secretGroupTextFixture)) return 'E'
  return change ? 'ok' : 'E'
}

/** The list of a hidden or closed member's rows answers 404 instead of an empty page. */
export const answersNotFoundForHiddenMember = (attempt: AccessAttempt): AccessAttempt => ({
  ...attempt,
  except: { K: '404', C: '404' },
})
