/** The welcome sheet is shown once, after signing up in the web app. */
import * as z from 'zod/mini'
import { groupSchema } from '../groups/groups.ts'
import { defineOperation } from '../operation.ts'
import { personSchema } from '../people/people.ts'

/** Suggests the inviter, then the newest members with the most followers. */
export const listSuggestedPeopleOperation = defineOperation({
  name: 'listSuggestedPeople',
  method: 'GET',
  path: '/me/welcome/people',
  input: z.object({}),
  output: z.object({ documents: z.array(personSchema) }),
  limit: 'people',
})

/** Suggests the largest of the newest groups. */
export const listSuggestedGroupsOperation = defineOperation({
  name: 'listSuggestedGroups',
  method: 'GET',
  path: '/me/welcome/groups',
  input: z.object({}),
  output: z.object({ documents: z.array(groupSchema) }),
  limit: 'read',
})

/** Ends the welcome on every device. */
export const endWelcomeOperation = defineOperation({
  name: 'endWelcome',
  method: 'DELETE',
  path: '/me/welcome',
  status: 204,
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})
