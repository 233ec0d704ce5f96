/** When an account opens, a busy database may leave out some followers. The worker admits them later. */
import { expect, test } from 'vitest'
import { followOperation, isFollowingOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { startFollowerApprovalWorker } from '#server/features/people/approve-waiting-followers.ts'
import { createServerLogger } from '#server/log.ts'
import { createTransactionalStore } from '#server/store/store.ts'
import { timeoutsWithShortLockWait } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient } from '#tests/support/world.ts'

test('REQ-08 when the account becomes public, a follower with a locked row is admitted later and the others immediately', async () => {
  const w = await createTestWorld({}, undefined, timeoutsWithShortLockWait)
  const [ana, petra, zoe] = [await w.join('Ana'), await w.join('Petra'), await w.join('Zoe')]
  await petra.call(updatePrivacySettingsOperation, { isPrivate: true })
  for (const follower of [ana, zoe]) await follower.call(followOperation, { personId: petra.id })
  const stateOf = (member: MemberClient) => member.call(isFollowingOperation, { personId: petra.id })

  const holder = await w.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from users where public_id = $1 for no key update', [ana.id])
  const opened = await petra.ask(updatePrivacySettingsOperation, {
    isPrivate: false,
    earlierPosts: 'everyone',
  })
  const states = await Promise.all([ana, zoe].map(stateOf))
  await holder.query('rollback')
  holder.release()
  expect(opened).toMatchObject({ status: 200, body: { isPrivate: false, followRequestCount: 1 } })
  expect(states).toEqual([
    { following: false, requested: true },
    { following: true, requested: false },
  ])

  const worker = startFollowerApprovalWorker({
    database: w.database,
    log: createServerLogger('silent'),
    store: createTransactionalStore(w.database, collectionEffects, () => {}),
  })
  await waitFor(async () => expect(await stateOf(ana)).toEqual({ following: true, requested: false }))
  await worker.close()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})
