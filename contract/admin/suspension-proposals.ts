import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

const personSchema = z.object({ $id: fields.publicIdSchema, name: z.string(), username: z.string() })

const suspensionProposalSchema = z.object({
  $id: fields.publicIdSchema,
  about: personSchema,
  by: personSchema,
  text: z.string(),
  /** Null means permanent. */
  days: z.nullable(z.number()),
  proposedAt: fields.isoTimestampSchema,
  /** The proposer can withdraw the proposal but not confirm it. */
  can: z.object({ confirm: z.boolean() }),
})
export type SuspensionProposal = z.infer<typeof suspensionProposalSchema>

/** Lists proposals oldest first, except those about the caller. */
export const listSuspensionProposalsOperation = defineOperation({
  name: 'listSuspensionProposals',
  method: 'GET',
  path: '/admin/suspensions',
  who: 'operator',
  input: z.object({}),
  output: z.object({ documents: z.array(suspensionProposalSchema) }),
  limit: 'read',
})

const oneProposal = z.object({ proposalId: fields.publicIdSchema })

/** The proposer cannot confirm the proposal. */
export const confirmSuspensionProposalOperation = defineOperation({
  name: 'confirmSuspensionProposal',
  method: 'POST',
  path: '/admin/suspensions/:proposalId/confirmation',
  status: 204,
  who: 'operator',
  input: oneProposal,
  output: z.void(),
  errors: ['suspension_not_proposed', 'suspension_own_proposal', 'case_decided'],
  limit: 'write',
})

/** Declines the proposal. The case stays open. */
export const declineSuspensionProposalOperation = defineOperation({
  name: 'declineSuspensionProposal',
  method: 'DELETE',
  path: '/admin/suspensions/:proposalId',
  status: 204,
  who: 'operator',
  input: oneProposal,
  output: z.void(),
  errors: ['suspension_not_proposed'],
  limit: 'write',
})
