/** One path to one row of the matrix: what somebody does there, and what the answer comes to. */
import { type Changed, catchUp } from '#contract/live.ts'
import type { Answer, Person } from '../person.ts'
import { type Cast, secret } from './cast.ts'
import type { Cell, Column, RowId } from './table.ts'

export type Scene = {
  cast: Cast
  /** As whom she acts. */
  column: Column
  /** The matrix lets her: what she changes should be made for her alone, because it will not be what it was. */
  succeeds: boolean
}

export type Attempt = {
  row: RowId
  path: string
  act(who: Person, scene: Scene): Promise<Cell>
  /** Where it is allowed, it changes something; where it is refused, nothing may have changed. */
  writes?: true
  /** Cells of the row that this path answers otherwise. */
  except?: Partial<Record<Column, Cell>>
  /** Refusals of the row that this path words otherwise. */
  worded?: Partial<Record<Cell, Cell>>
  /** The columns for which the path exists. */
  only?: readonly Column[]
}

/** A refusal of the document door is compared as what it means (reading D-07). */
export function outcome({ status, body }: Answer): Cell {
  if (status < 400) return 'ok'
  const forbidden = status === 401 && (body as { type?: string }).type === 'user_unauthorized'
  return forbidden ? '403' : (String(status) as Cell)
}

/** Whether the answer says anything of a thing that these words give away. */
export function shows(answer: Answer, ...words: string[]): Cell {
  if (answer.status >= 400) return outcome(answer)
  const said = JSON.stringify(answer.body)
  return words.some((word) => said.includes(word)) ? 'ok' : 'E'
}

/** Whether a number of the answer counts the thing. */
export function counts(answer: Answer, count: (body: never) => unknown, withIt: number): Cell {
  if (answer.status >= 400) return outcome(answer)
  const counted = count(answer.body as never)
  if (counted === withIt) return 'ok'
  if (counted === withIt - 1) return 'E'
  throw new Error(`It counts ${counted}, which is neither ${withIt} nor one less.`)
}

/** Attempts of one row: a path and what is done there. */
export const reading = (row: RowId, paths: Record<string, Attempt['act']>): Attempt[] =>
  Object.entries(paths).map(([path, act]) => ({ row, path, act }))

export const writing = (row: RowId, paths: Record<string, Attempt['act']>): Attempt[] =>
  reading(row, paths).map((attempt) => ({ ...attempt, writes: true }))

/** Whether she is told of it when she asks what she missed. That she lost sight of it says nothing of what it was. */
export async function catchesUp(who: Person, cast: Cast, collections: string, id: string): Promise<Cell> {
  const answer = await who.ask(catchUp, { since: cast.position, collections })
  if (answer.status >= 400) return outcome(answer)
  const { changes } = answer.body as { changes: Changed[] }
  const [change] = changes.filter(({ document }) => document.$id === id)
  if (change?.kind === 'delete' && !JSON.stringify(change).includes(secret)) return 'E'
  return change ? 'ok' : 'E'
}
