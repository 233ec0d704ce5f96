/** Every operation of the product. The server, the OpenAPI page and the tests walk this list. */
import { currentMember, signUp } from './account.ts'
import * as chat from './chat.ts'
import * as groupMembers from './group-members.ts'
import * as groupRequests from './group-requests.ts'
import * as groups from './groups.ts'
import * as live from './live.ts'
import type { Operation } from './operation.ts'
import * as people from './people.ts'
import * as posts from './posts.ts'

const operationsOf = (noun: object): Operation[] =>
  Object.values(noun).filter(
    (value): value is Operation => value?.method !== undefined && value.path !== undefined,
  )

export const api: readonly Operation[] = [
  signUp,
  currentMember,
  ...operationsOf(people),
  ...operationsOf(posts),
  ...operationsOf(groups),
  ...operationsOf(groupRequests),
  ...operationsOf(groupMembers),
  ...operationsOf(chat),
  ...operationsOf(live),
]
