/** Whose socket it is: nobody's at first, then one member's for as long as it lives. */
import { asFailure } from '../errors.ts'
import { resolveJwt } from '../jwt.ts'
import type { Parts } from '../parts.ts'
import { type Caller, resolveToken, type SessionToken } from '../session.ts'
import { accountModel } from './models.ts'

/** What a handshake brings to be recognised by. */
export type Credentials = { token: SessionToken | null; jwt: string | null }

export type Admission = {
  parts: Parts
  /**
   * Counts a socket of an account.
   * @returns takes it back; null when it has as many as it may
   */
  admit(account: number): (() => void) | null
}

export type Identity = {
  /** Null while nobody signed in. */
  readonly caller: Caller | null
  /** @throws Failure `user_blocked` */
  recognise(credentials: Credentials): Promise<{ found: Caller | null; sessionIsOver: boolean }>
  /**
   * Whose a session is, if it may be the socket's: another's never is (security reference R09).
   * @throws Failure `user_blocked`
   */
  prove(session: SessionToken): Promise<Caller | null>
  /**
   * From now on the socket is hers.
   * @returns whether there was room for it
   */
  signIn(found: Caller): Promise<boolean>
  /** Her account, as the dialect shows it to herself. */
  user(): Promise<ReturnType<typeof accountModel> | null>
  leave(): void
}

/** @param listen begins to tell her of changes, and returns what ends it */
export function createIdentity(
  { parts, admit }: Admission,
  listen: (caller: Caller) => Promise<() => void>,
): Identity {
  const db = parts.database.kysely
  let caller: Caller | null = null
  let giveBack: (() => void) | null = null
  let stopListening: (() => void) | null = null

  return {
    get caller() {
      return caller
    },
    async recognise({ jwt, token }) {
      try {
        if (jwt !== null) return { found: await resolveJwt(db, jwt), sessionIsOver: false }
      } catch (error) {
        // It lives for minutes and the client keeps it for longer.
        if (asFailure(error)?.type !== 'user_jwt_invalid') throw error
      }
      const found = token === null ? null : await resolveToken(db, token)
      return { found, sessionIsOver: jwt !== null }
    },
    async prove(session) {
      const found = await resolveToken(db, session)
      return caller === null || caller.account.id === found?.account.id ? found : null
    },
    async signIn(found) {
      giveBack = admit(found.account.id)
      if (giveBack === null) return false
      caller = found
      stopListening = await listen(found)
      return true
    },
    async user() {
      if (caller === null) return null
      const account = db.selectFrom('accounts').selectAll().where('id', '=', caller.account.id)
      const row = await account.executeTakeFirst()
      return row ? accountModel(row) : null
    },
    leave() {
      stopListening?.()
      giveBack?.()
      stopListening = null
      giveBack = null
    },
  }
}
