import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import { maxTextLength, minTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { createAccount } from '#server/auth/create-account.ts'
import { checkAndHashNewPassword } from '#server/auth/password-hash.ts'
import { selectCallerAccount, updateCallerAccount } from '#server/features/account/update-caller-account.ts'
import { admitNewAccount } from '#server/features/community/admit-new-account.ts'
import { registerRoute } from '#server/route.ts'
import { toAppwriteAccount } from '../build-response-models.ts'
import {
  createAppwriteParametersReader,
  customIdSchema,
  emptyParametersSchema,
} from '../request-parameters.ts'

const accountName = z
  .string()
  .check(
    z.trim(),
    minTextLength(1, 'Value must be a valid string and at least 1 chars and no longer than 128 chars'),
    maxTextLength(128, 'Value must be a valid string and at least 1 chars and no longer than 128 chars'),
  )

/** Bytes of JSON, as in Appwrite. */
const prefsLimit = 65_535

const prefs = z
  .record(z.string(), z.unknown(), 'Value must be a valid object.')
  .check(z.refine((value) => JSON.stringify(value).length <= prefsLimit, 'Value must be a valid object.'))

export function registerAppwriteAccountRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: '/v1/account',
      who: 'visitor',
      limit: 'sign-up',
      status: 201,
      input: createAppwriteParametersReader(
        z.object({
          userId: customIdSchema,
          email: fields.emailSchema,
          password: fields.passwordSchema,
          name: z.optional(z.string().check(z.trim(), maxTextLength(128))),
        }),
      ),
    },
    async ({ userId, email, password, name = '' }, { request, config, store }) => {
      const passwordHash = await checkAndHashNewPassword(password, { name, email })
      return store.transact(async ({ db }) => {
        const given = { publicId: userId, name, email, passwordHash }
        return toAppwriteAccount(
          await admitNewAccount(db, { request, config }, () => createAccount(db, request, given)),
        )
      })
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, { caller }) => toAppwriteAccount(await selectCallerAccount(db, caller)),
  )

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/prefs',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, { caller }) => (await selectCallerAccount(db, caller)).prefs,
  )

  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/prefs',
      who: 'account',
      limit: 'write',
      status: 200,
      input: createAppwriteParametersReader(z.object({ prefs })),
    },
    ({ prefs }, { request, caller, store }) =>
      store.transact(async ({ db }) =>
        toAppwriteAccount(await updateCallerAccount(db, request, caller, { prefs: JSON.stringify(prefs) })),
      ),
  )

  /** Also renames the profile. */
  registerRoute(
    app,
    context,
    {
      method: 'PATCH',
      url: '/v1/account/name',
      who: 'account',
      limit: 'edit',
      status: 200,
      input: createAppwriteParametersReader(z.object({ name: accountName })),
    },
    ({ name }, { request, caller, store }) =>
      store.transact(async (tx) => {
        const { member } = caller
        if (member) await tx.update(member.id, 'users', member.publicId, { name })
        return toAppwriteAccount(await updateCallerAccount(tx.db, request, caller, { name }))
      }),
  )
}
