/** The sheet that a new member sees once after signing up in the web. */
import * as z from 'zod/mini'
import { groupSchema } from '../groups/groups.ts'
import { defineOperation } from '../operation.ts'
import { personSchema } from '../people/people.ts'

/** Suggests three people: the caller's inviter first, then the most followed of the newest members. */
export const listSuggestedPeopleOperation = defineOperation({
  name: 'listSuggestedPeople',
  method: 'GET',
  path: '/me/welcome/people',
  input: z.object({}),
  output: z.object({ documents: z.array(personSchema) }),
  limit: 'people',
})

/** Suggests one group: the one with the most members of the newest. */
export const listSuggestedGroupsOperation = defineOperation({
  name: 'listSuggestedGroups',
  method: 'GET',
  path: '/me/welcome/groups',
  input: z.object({}),
  output: z.object({ documents: z.array(groupSchema) }),
  limit: 'read',
})

/** Ends the welcome on every device. Idempotent. */
export const endWelcomeOperation = defineOperation({
  name: 'endWelcome',
  method: 'DELETE',
  path: '/me/welcome',
  status: 204,
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})
