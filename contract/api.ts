/** Every operation of the product. The server, the OpenAPI page and the tests walk this list. */
import * as account from './account.ts'
import * as accountSecurity from './account-security.ts'
import * as blocks from './blocks.ts'
import * as chat from './chat.ts'
import * as files from './files.ts'
import * as followRequests from './follow-requests.ts'
import * as groupMembers from './group-members.ts'
import * as groupRequests from './group-requests.ts'
import * as groups from './groups.ts'
import * as cases from './moderation/cases.ts'
import * as reports from './moderation/reports.ts'
import * as mutes from './mutes.ts'
import type { Operation } from './operation.ts'
import * as people from './people.ts'
import * as posts from './posts.ts'
import * as privacy from './privacy.ts'
import * as realtime from './realtime.ts'
import * as recovery from './recovery.ts'

export const contractModules = {
  account,
  recovery,
  accountSecurity,
  people,
  privacy,
  followRequests,
  blocks,
  mutes,
  reports,
  cases,
  files,
  posts,
  groups,
  groupRequests,
  groupMembers,
  chat,
  realtime,
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const apiOperations: readonly Operation[] = Object.values(contractModules).flatMap((noun) =>
  Object.values(noun).filter(isOperation),
)
