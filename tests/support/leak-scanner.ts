/**
 * Responses must not contain other people's email addresses, phone numbers or account ids (attack A17), or internals
 * (X06).
 */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/database/open-database.ts'

const address = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|(?<=")\+[1-9]\d{6,14}(?=")/g
/** Account ids occur in documents and in permissions. */
const account = /(?<="accountId":"|\buser:)[A-Za-z0-9][\w.-]*/g
const machinery =
  /SQLSTATE|syntax error at|violates \w+[ -]|duplicate key|PostgreSQL|\bpg_\w+|node_modules|\.ts:\d|\n {4}at |postgres:\/\/|kysely|fastify|ECONNREFUSED/i
/** The outbox shows every address, and the licences page names authors and libraries. */
const withForeignAddresses = /^\/(?:dev\/|licences\.txt)/

/**
 * The headers identify the caller.
 * @param asked.sentText may contain addresses, which the response may repeat
 */
export type LeakScan = (text: string, asked: { headers: Headers; sentText: string }) => Promise<string[]>
type Headers = Record<string, unknown>

const scans = new WeakMap<FastifyInstance, LeakScan>()

export const getAppLeakScan = (app: FastifyInstance | string): LeakScan | undefined =>
  typeof app === 'string' ? undefined : scans.get(app)

export function scanResponsesForLeaks(app: FastifyInstance, database: Database): void {
  const scan: LeakScan = async (text, { headers, sentText }) => {
    const foreign = new Set(text.match(address) ?? [])
    for (const own of sentText.match(address) ?? []) foreign.delete(own.toLowerCase())
    for (const own of foreign.size > 0 ? await ownAddresses(database, headers) : []) foreign.delete(own)
    const asking = askingWith(headers)
    // The response to a sign-up contains the new account's id.
    const accounts = asking.length > 0 ? new Set(text.match(account)) : new Set()
    for (const own of asking) accounts.delete(own)
    return [
      ...[...foreign].map((one) => `the address ${one} of another member`),
      ...[...accounts].map((one) => `the account ${one} of another member`),
    ]
  }
  scans.set(app, scan)

  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<LightMyRequestResponse>
  const scanned = async (options: InjectOptions) => {
    const answer = await inject(options)
    const { 'content-type': type = '', 'set-cookie': given } = answer.headers
    const path = String(options.url)
    if (!/json|text/.test(String(type)) || withForeignAddresses.test(path)) return answer
    const sentText = decoded(path) + textOf(options.payload)
    const problems = await scan(answer.body, {
      headers: { ...options.headers, 'set-cookie': given },
      sentText,
    })
    const [word] = answer.statusCode >= 400 ? (machinery.exec(answer.body) ?? []) : []
    if (word && !sentText.includes(word)) problems.push(`the word ${JSON.stringify(word)}`)
    for (const header of ['server', 'x-powered-by']) if (answer.headers[header]) problems.push(header)
    if (problems.length === 0) return answer
    throw new Error(`${options.method} ${path} told ${problems.join(', ')}: ${answer.body.slice(0, 2000)}`)
  }
  app.inject = scanned as typeof app.inject
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function textOf(payload: InjectOptions['payload']): string {
  if (payload === undefined) return ''
  return Buffer.isBuffer(payload) || typeof payload === 'string' ? String(payload) : JSON.stringify(payload)
}

/** Returns current and former addresses of the account that sent these headers. */
async function ownAddresses({ kysely }: Database, headers: Headers): Promise<string[]> {
  const accounts = askingWith(headers)
  const { rows } = await sql<{ address: string }>`
    select lower(own.address) as address from accounts a
    cross join lateral (
      select a.email union select a.phone union select provider_uid from sessions where account_id = a.id
      union select sent_to from tokens where account_id = a.id
      union select provider_email from identities where account_id = a.id
    ) own (address)
    where a.public_id = any(${accounts}) and own.address is not null`.execute(kysely)
  return rows.map((row) => row.address)
}

const askingWith = (headers: Headers): string[] => Object.values(headers).flat().flatMap(accountsIn)

/** Tokens are base64 of `{ id }` and JWTs contain `{ userId }`, in cookies or JSON. */
function accountsIn(header: unknown): string[] {
  const candidates = decoded(String(header ?? '')).match(/[\w+/-]{24,}=*/g) ?? []
  return candidates.flatMap((candidate) => {
    const text = Buffer.from(candidate, 'base64').toString('latin1')
    return /"(?:id|userId)":"([^"]+)"/.exec(text)?.[1] ?? []
  })
}
