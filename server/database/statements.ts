/**
 * A pg client that prepares by itself: a statement whose text comes a third time is sent under a name from then on,
 * so PostgreSQL parses and plans it once per connection (planning is most of the cost of our short queries).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'

const NAMED_AT_SIGHTING = 3
/** Names are kept by every connection: more would cost memory there and mean texts that vary without need. */
const MOST_NAMES = 300
const MOST_SIGHTINGS = 2_000
const preparable = /^\s*(?:select|insert|update|delete|with)\b/i
/** Raised by a named `select *` after a migration changed the table. */
const STALE_PLAN = '0A000'

/** What node-postgres says of a broken connection by sentence alone gets the state that SQL has for it. */
const CONNECTION_FAILURE = '08006'
const connectionLost = /is not queryable|^Connection terminated/

export type StatementNames = {
  /** The name to send this text under, if it has one by now. */
  of(text: string): string | undefined
  /** Sends this text unnamed from now on. */
  forget(text: string): void
}

/** How one process names its statements. */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>()
  const sightings = new Map<string, number>()
  return {
    of(text) {
      if (names.has(text)) return names.get(text)
      if (names.size >= MOST_NAMES || !preparable.test(text)) return undefined
      const seen = (sightings.get(text) ?? 0) + 1
      if (seen < NAMED_AT_SIGHTING) {
        if (sightings.size >= MOST_SIGHTINGS) sightings.clear()
        sightings.set(text, seen)
        return undefined
      }
      sightings.delete(text)
      const name = createHash('sha256').update(text).digest('base64url').slice(0, 16)
      names.set(text, name)
      return name
    },
    forget: (text) => void names.set(text, undefined),
  }
}

const recording = new AsyncLocalStorage<string[]>()
let recorders = 0
const bookkeeping = /^\s*(?:begin|start transaction|commit|rollback|savepoint|release|set|reset)\b/i

/** Runs something and tells which statements it sent; BEGIN, COMMIT, SET and their kin are not counted. */
export async function countStatements<T>(
  run: () => Promise<T>,
): Promise<{ result: T; statements: string[] }> {
  const statements: string[] = []
  recorders += 1
  try {
    return { result: await recording.run(statements, run), statements }
  } finally {
    recorders -= 1
  }
}

function record(text: string): void {
  if (recorders > 0 && !bookkeeping.test(text)) recording.getStore()?.push(text)
}

/**
 * Keys that the planner does not look at. Where it sees how many there are, it plans a named statement anew for every number,
 * which takes longer than running it.
 */
export const unseen = (keys: readonly number[]): RawBuilder<number[]> =>
  sql`(select ${keys}::bigint[])::bigint[]`

/** @param names null sends everything unnamed: a pooler may give each transaction another connection. */
export function clientThatPrepares(names: StatementNames | null): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config)
      const send = this.query.bind(this) as (...args: unknown[]) => unknown
      const query = (text: unknown, ...rest: unknown[]): unknown => {
        if (typeof text !== 'string') {
          record((text as { text?: string }).text ?? '')
          return send(text, ...rest)
        }
        record(text)
        const name = Array.isArray(rest[0]) ? names?.of(text) : undefined
        if (!name) return this.#guarded(send(text, ...rest))
        const [values, ...callback] = rest
        return this.#guarded(send({ name, text, values }, ...callback), () => names?.forget(text))
      }
      this.query = query as Client['query']
    }

    /** An answer that never came leaves the connection waiting for it; such a connection must not be used again. */
    #guarded(answer: unknown, onStale?: () => void): unknown {
      if (!(answer instanceof Promise)) return answer
      return answer.catch((error: Error & { code?: string }) => {
        if (error.message === 'Query read timeout') this.connection.stream.destroy()
        if (error.code === STALE_PLAN) onStale?.()
        if (connectionLost.test(error.message)) error.code ??= CONNECTION_FAILURE
        throw error
      })
    }
  }
}
