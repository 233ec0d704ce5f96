/** The log of operators' actions. Operators see all details, and members see a shorter form. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

/** The recorded actions. If you add one, add its texts in `web/features/admin/operator-act-labels.ts`. */
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

/** The changes that an action made, without secrets or members' content. */
const operatorActDetailSchema = z.object({
  /** The changed settings by name. */
  fields: z.optional(z.array(z.string())),
  /** The new value, such as a registration mode. */
  to: z.optional(z.string()),
  /** The reason given to the member concerned. */
  text: z.optional(z.string()),
  /** The kind of a discarded email. */
  kind: z.optional(z.string()),
  /** The days of a suspension. Null means permanent. */
  days: z.optional(z.nullable(z.number())),
})
export type OperatorActDetail = z.infer<typeof operatorActDetailSchema>

const personSchema = z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })

const operatorActEntrySchema = z.object({
  $id: fields.publicIdSchema,
  at: fields.isoTimestampSchema,
  /** One of `operatorActs`, or an action that a newer node recorded. */
  act: z.string(),
  /** The operator. Null for a command, or if the operator's account was deleted. */
  by: z.nullable(personSchema),
  /** The system user who ran the command. */
  systemUser: z.nullable(z.string()),
  /** The member concerned. Null if the action concerns no member, or if the account was deleted. */
  about: z.nullable(personSchema),
  detail: operatorActDetailSchema,
})
export type OperatorActEntry = z.infer<typeof operatorActEntrySchema>

const page = { cursor: z.optional(fields.publicIdSchema), limit: z.optional(fields.pageSizeSchema) }

/** Lists all actions, newest first, except proposals to suspend the caller. Only for operators: others get 404. */
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

/** Lists actions for every member, newest first: only the action and its day, without names. Leaves out proposals. */
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
