/**
 * Planning takes most of a short query's time. From its third use, a statement is therefore planned once per
 * connection.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'

const NAMED_AT_SIGHTING = 3
/**
 * Prepared statements stay in each connection's memory. If more names are needed, some statement's text
 * varies needlessly.
 */
const MOST_NAMES = 300
const MOST_SIGHTINGS = 2_000
const preparable = /^\s*(?:select|insert|update|delete|with)\b/i
/** The code for a stale plan that ended a transaction. */
const SERIALIZATION_FAILURE = '40001'
/** A prepared `select *` after a migration changed the table. */
const isStalePlan = ({ code, routine }: DatabaseError) =>
  code === '0A000' && routine === 'RevalidateCachedQuery'

/** The code for broken connections, which node-postgres raises without one. */
const CONNECTION_FAILURE = '08006'
const connectionLost = /is not queryable|^Connection terminated/

export type PreparedStatementNames = {
  of(text: string): string | undefined
  /** Renames all statements if this name is in use, so that they are prepared again. */
  renew(staleName: string): void
}

type DatabaseError = Error & { code?: string; routine?: string }

/** All connections of a process share the names. */
export function createPreparedStatementNames(): PreparedStatementNames {
  const names = new Map<string, string>()
  const sightings = new Map<string, number>()
  /** Incremented when tables change under prepared statements. */
  let generation = 0
  const nameOf = (text: string) =>
    createHash('sha256').update(`${generation} ${text}`).digest('base64url').slice(0, 16)
  return {
    of(text) {
      const known = names.get(text)
      if (known) return known
      if (names.size >= MOST_NAMES || !preparable.test(text)) return undefined
      const seen = (sightings.get(text) ?? 0) + 1
      if (seen < NAMED_AT_SIGHTING) {
        if (sightings.size >= MOST_SIGHTINGS) sightings.clear()
        sightings.set(text, seen)
        return undefined
      }
      sightings.delete(text)
      const name = nameOf(text)
      names.set(text, name)
      return name
    },
    renew(staleName) {
      // Concurrent failures report the same old names.
      if (![...names.values()].includes(staleName)) return
      generation += 1
      for (const text of names.keys()) names.set(text, nameOf(text))
    },
  }
}

const recording = new AsyncLocalStorage<string[]>()
let recorders = 0
const bookkeeping = /^\s*(?:begin|start transaction|commit|rollback|savepoint|release|set|reset)\b/i

export async function captureSqlStatements<T>(
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

/** The planner would otherwise make a new plan for every length. */
export const hideKeyArrayLengthFromPlanner = (
  keys: readonly number[] | Expression<readonly number[]>,
): RawBuilder<number[]> => sql`(select ${keys}::bigint[])::bigint[]`

/**
 * Prepares a stale statement again and resends it. Inside a transaction, the statement fails with a retryable
 * error.
 * @param names null for a pooler that switches connections
 */
export function createPreparingPgClientClass(names: PreparedStatementNames | null): typeof Client {
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
        const [values, callback] = rest
        const name = Array.isArray(values) && callback === undefined ? names?.of(text) : undefined
        if (!name) return this.#guarded(send(text, ...rest))
        const isAlone = this.getTransactionStatus() === 'I'
        const sent = (send({ name, text, values }) as Promise<unknown>).catch((error: DatabaseError) => {
          if (!isStalePlan(error)) throw error
          names?.renew(name)
          if (isAlone) return send({ name: names?.of(text), text, values })
          error.code = SERIALIZATION_FAILURE
          throw error
        })
        return this.#guarded(sent)
      }
      this.query = query as Client['query']
    }

    /** After a read timeout, the old result is still pending, so the connection is destroyed. */
    #guarded(answer: unknown): unknown {
      if (!(answer instanceof Promise)) return answer
      return answer.catch((error: DatabaseError) => {
        if (error.message === 'Query read timeout') this.connection.stream.destroy()
        if (connectionLost.test(error.message)) error.code ??= CONNECTION_FAILURE
        throw error
      })
    }
  }
}
