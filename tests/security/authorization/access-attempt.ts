/** One path to one row of the matrix: what somebody does there, and what the answer comes to. */

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
  /** As whom she acts. */
  column: PermissionMatrixColumn
  /** The matrix lets her: what she changes should be made for her alone, because it will not be what it was. */
  succeeds: boolean
}

export type AccessAttempt = {
  row: PermissionMatrixRowId
  path: string
  act(who: MemberClient, scene: AccessAttemptContext): Promise<PermissionMatrixOutcome>
  /** Where it is allowed, it changes something; where it is refused, nothing may have changed. */
  writes?: true
  /** Cells of the row that this path answers otherwise. */
  except?: Partial<Record<PermissionMatrixColumn, PermissionMatrixOutcome>>
  /** Refusals of the row that this path words otherwise. */
  worded?: Partial<Record<PermissionMatrixOutcome, PermissionMatrixOutcome>>
  /** The columns for which the path exists. */
  only?: readonly PermissionMatrixColumn[]
}

/** Compares a refusal of the document API as what it means: it answers 401 where the operations answer 403. */
export function toMatrixOutcome({ status, body }: ApiResponse): PermissionMatrixOutcome {
  if (status < 400) return 'ok'
  const forbidden = status === 401 && (body as { type?: string }).type === 'user_unauthorized'
  return forbidden ? '403' : (String(status) as PermissionMatrixOutcome)
}

/** Whether the answer says anything of a thing that these words give away. */
export function checkResponseMentions(answer: ApiResponse, ...words: string[]): PermissionMatrixOutcome {
  if (answer.status >= 400) return toMatrixOutcome(answer)
  const said = JSON.stringify(answer.body)
  return words.some((word) => said.includes(word)) ? 'ok' : 'E'
}

/** Whether a number of the answer counts the thing. */
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

/** Attempts of one row: a path and what is done there. */
export const defineReadAttempts = (
  row: PermissionMatrixRowId,
  paths: Record<string, AccessAttempt['act']>,
): AccessAttempt[] => Object.entries(paths).map(([path, act]) => ({ row, path, act }))

export const defineWriteAttempts = (
  row: PermissionMatrixRowId,
  paths: Record<string, AccessAttempt['act']>,
): AccessAttempt[] => defineReadAttempts(row, paths).map((attempt) => ({ ...attempt, writes: true }))

/** Whether she is told of it when she asks what she missed. That she lost sight of it says nothing of what it was. */
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
