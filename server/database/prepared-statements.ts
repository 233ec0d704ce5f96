/**
 * Prepares statements by itself: one whose text comes a third time is sent under a name from then on, so PostgreSQL parses
 * and plans it once per connection. Planning is most of the cost of short queries.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'

const NAMED_AT_SIGHTING = 3
/** Every connection keeps its prepared statements in memory. More names than this mean texts that vary without need. */
const MOST_NAMES = 300
const MOST_SIGHTINGS = 2_000
const preparable = /^\s*(?:select|insert|update|delete|with)\b/i
/** The SQLSTATE given to a transaction that a stale plan ended: PostgreSQL's own is for anything that it cannot do. */
const SERIALIZATION_FAILURE = '40001'
/** Tells a prepared `select *` after a migration changed the table from everything else that PostgreSQL cannot do. */
const isStalePlan = ({ code, routine }: DatabaseError) =>
  code === '0A000' && routine === 'RevalidateCachedQuery'

/** The SQLSTATE given to errors of a broken connection that node-postgres raises with a sentence and no code. */
const CONNECTION_FAILURE = '08006'
const connectionLost = /is not queryable|^Connection terminated/

export type PreparedStatementNames = {
  /** The name to send this text under, if it has one by now. */
  of(text: string): string | undefined
  /** Gives every text another name than this one, under which it is prepared anew. */
  renew(staleName: string): void
}

type DatabaseError = Error & { code?: string; routine?: string }

/** Makes the names of one process, which all its connections share. */
export function createPreparedStatementNames(): PreparedStatementNames {
  const names = new Map<string, string>()
  const sightings = new Map<string, number>()
  /** Counts how often the tables changed under prepared statements. */
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
      // Statements that were on their way meanwhile fail by their old names, which are renewed once.
      if (![...names.values()].includes(staleName)) return
      generation += 1
      for (const text of names.keys()) names.set(text, nameOf(text))
    },
  }
}

const recording = new AsyncLocalStorage<string[]>()
let recorders = 0
const bookkeeping = /^\s*(?:begin|start transaction|commit|rollback|savepoint|release|set|reset)\b/i

/** Runs `run` and returns the statements it sent, without BEGIN, COMMIT, SET and the like. */
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

/**
 * Hides the array's length from the planner, which would otherwise plan a prepared statement anew for every length; that takes
 * longer than running it.
 */
export const hideKeyArrayLengthFromPlanner = (
  keys: readonly number[] | Expression<readonly number[]>,
): RawBuilder<number[]> => sql`(select ${keys}::bigint[])::bigint[]`

/**
 * Makes a pg client that sends statements under their names. One whose plan a migration made stale is prepared anew and sent
 * once more where it stands alone; inside a transaction, which PostgreSQL has ended, it fails as one that may be repeated.
 * @param names null sends everything unnamed, for a pooler, which may give each transaction another connection
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

    /** Destroys the connection after a read timeout: it still waits for the old answer and must not be used again. */
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
