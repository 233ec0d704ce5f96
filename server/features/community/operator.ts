import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, selectReadableRows, whereMemberHasAbility } from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'

type Caller = Pick<RequestContext, 'me' | 'database'>

export async function isOperator({ me, database }: Caller): Promise<boolean> {
  const operator = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'users')
    .select('id')
    .where('id', '=', me.id)
    .where(whereMemberHasAbility(memberKeyParameter(me.id), 'operateCommunity', 'users', 'users'))
    .executeTakeFirst()
  return operator !== undefined
}

/** @throws Failure 404 if the caller is no operator, as for an unknown path */
export async function requireOperator(caller: Caller): Promise<void> {
  if (!(await isOperator(caller))) throwFailure('general_route_not_found')
}
