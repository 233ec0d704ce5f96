import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

/** A new act needs a text in `web/features/admin/operator-act-labels.ts`. */
export const operatorActs = [
  'member.recover',
  'member.unlock',
  'member.suspend',
  'member.reopen',
  'member.sign-out',
  'member.delete',
  'suspension.propose',
  'suspension.confirm',
  'suspension.decline',
  'moderator.add',
  'moderator.remove',
  'operator.add',
  'operator.remove',
  'community.update',
  'registration.update',
  'application.approve',
  'application.decline',
  'email.discard',
  'instance.restore',
  'instance.new-key',
  'instance.new-host',
] as const
export type OperatorAct = (typeof operatorActs)[number]

/** The detail contains no secrets or members' content. */
const operatorActDetailSchema = z.object({
  /** The names of the changed settings. */
  fields: z.optional(z.array(z.string())),
  to: z.optional(z.string()),
  /** The reason for the member concerned. */
  text: z.optional(z.string()),
  /** The kind of a discarded email. */
  kind: z.optional(z.string()),
  /** The length of a suspension. Null means permanent. */
  days: z.optional(z.nullable(z.number())),
})
export type OperatorActDetail = z.infer<typeof operatorActDetailSchema>

const personSchema = z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })

const operatorActEntrySchema = z.object({
  $id: fields.publicIdSchema,
  at: fields.isoTimestampSchema,
  /** One of `operatorActs`, or an action that a newer node recorded. */
  act: z.string(),
  /** Null for an act by a command or a deleted account. */
  by: z.nullable(personSchema),
  systemUser: z.nullable(z.string()),
  /** Null if no member is concerned, or if the account is deleted. */
  about: z.nullable(personSchema),
  detail: operatorActDetailSchema,
})
export type OperatorActEntry = z.infer<typeof operatorActEntrySchema>

const page = { cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }

/** Lists acts newest first, except proposals to suspend the caller. */
export const listOperatorActsOperation = defineOperation({
  name: 'listOperatorActs',
  method: 'GET',
  path: '/admin/acts',
  who: 'operator',
  input: z.object(page),
  output: z.object({
    documents: z.array(operatorActEntrySchema),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Lists only actions and days, newest first, without proposals. */
export const listPublicOperatorActsOperation = defineOperation({
  name: 'listPublicOperatorActs',
  method: 'GET',
  path: '/community/acts',
  input: z.object(page),
  output: z.object({
    documents: z.array(
      z.object({
        $id: fields.publicIdSchema,
        /** The day in UTC, such as `2026-11-29`. */
        day: z.string(),
        act: z.string(),
      }),
    ),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
