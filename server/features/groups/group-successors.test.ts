/** A table of the ways in which a group gets its next admin, and of what excludes a member. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { closeAccountOperation } from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getDeletionPlanOperation, requestDeletionOperation } from '#contract/deletion/deletion.ts'
import {
  declineGroupOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import { getGroupOperation } from '#contract/groups/groups.ts'
import { decideAppealOperation } from '#contract/moderation/cases.ts'
import { appealSuspensionOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { restrictMemberOperation } from '#contract/people/mutes-and-restrictions.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let mo: MemberClient
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[mo, ana] = [await w.join('Mo'), await w.join('Ana')]
  await appointModeratorOnDuty(w.database, mo)
  // The tests hold these locks, so that a block, a restriction or a succession waits before it is written.
  await query(`
    create function wait_in_the_middle() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
      return new;
    end $$;
    create trigger a_wait before insert on blocks for each row execute function wait_in_the_middle(1);
    create trigger a_wait before insert on restrictions for each row execute function wait_in_the_middle(1);
    create trigger a_wait before insert on group_handovers for each row execute function wait_in_the_middle(2)`)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const adminOf = async (groupId: string): Promise<string | undefined> =>
  (
    await query('select u.public_id from groups g join users u on u.id = g.admin_id where g.public_id = $1', [
      groupId,
    ])
  )[0]?.public_id
const signIn = ({ email }: MemberClient) =>
  w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })
const withNewSession = async (her: MemberClient): Promise<MemberClient> => ({
  ...her,
  ...createApiClient(w.app, extractCookieHeader(await signIn(her))),
})
const askDeletion = async (her: MemberClient, heirs: Record<string, string> = {}) =>
  her.ask(requestDeletionOperation, {
    username: (await her.call(getCurrentMemberOperation, {})).username,
    password: testPassword,
    heirs,
  })
const eraseNow = async (her: MemberClient) => {
  const { username } = (await query('select username from users where public_id = $1', [her.id]))[0]
  const cookie = extractCookieHeader(await signIn(her))
  await w.visitor.request('PUT', '/v1/me/deletion', { username, password: testPassword }, { cookie })
  await waitFor(async () => {
    const [account] = await query('select erased_at from accounts where public_id = $1', [her.accountId])
    expect(account.erased_at).not.toBeNull()
  })
}
const suspend = async (her: MemberClient) => {
  const postId = await createPostInGroup(w.database, her, null)
  const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
  await claimAndDecide(mo, caseId, { decision: 'suspend', text: 'Busca a una persona', days: 7 })
  return caseId
}

const obstacles: Record<string, (admin: MemberClient, x: MemberClient) => Promise<unknown>> = {
  'whom the admin blocked': (admin, x) => admin.call(blockMemberOperation, { personId: x.id }),
  'who blocked the admin': (admin, x) => x.call(blockMemberOperation, { personId: admin.id }),
  'whom the admin restricted': (admin, x) => admin.call(restrictMemberOperation, { personId: x.id }),
  'who is suspended': (_, x) => suspend(x),
  'who closed her account': (_, x) => x.call(closeAccountOperation, {}),
  'who waits for deletion': (_, x) => askDeletion(x),
}

/** Without cleo, nobody else can have the group. */
type Path = {
  /** The fate of a group that nobody can have. */
  end: 'stays' | 'is deleted'
  pass(table: {
    bea: MemberClient
    x: MemberClient
    group: string
    cleo: MemberClient | undefined
  }): Promise<unknown>
}
const paths: Record<string, Path> = {
  'bea closes her account': { end: 'stays', pass: ({ bea }) => bea.call(closeAccountOperation, {}) },
  'bea closes her account at the Appwrite API': {
    end: 'stays',
    pass: ({ bea }) => bea.request('PATCH', '/v1/account/status', {}),
  },
  'bea deletes her account': { end: 'stays', pass: ({ bea }) => askDeletion(bea) },
  'bea is suspended': { end: 'stays', pass: ({ bea }) => suspend(bea) },
  "bea's account is erased": {
    end: 'is deleted',
    async pass({ bea, cleo }) {
      // While nobody can have the group, it waits for the erasure.
      await cleo?.call(closeAccountOperation, {})
      await askDeletion(bea)
      if (cleo) await signIn(cleo)
      await eraseNow(bea)
    },
  },
}
/** Bea keeps her groups on these paths. */
const refusedPaths: Record<string, (bea: MemberClient, group: string) => Promise<{ status: number }>> = {
  leaves: (bea, groupId) => bea.ask(leaveGroupOperation, { groupId }),
  'removes herself': (bea, groupId) => bea.ask(removeGroupMemberOperation, { groupId, memberId: bea.id }),
  'deletes her membership at the Appwrite API': async (bea, groupId) => {
    const members = createAppwriteDocumentsClient(bea, 'groupMembers')
    const own = (await members.all()).find((one) => one.userId === bea.id && one.groupId === groupId)
    return members.remove(own?.$id ?? '')
  },
}

describe.each(Object.entries(obstacles))('GRP-27 a member %s', (_, obstruct) => {
  test.each(Object.entries(paths))('gets no group when %s', async (_path, { end, pass }) => {
    const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
    const shared = await createGroupWithMembers(bea, x, cleo)
    await obstruct(bea, x)
    await pass({ bea, x, group: shared, cleo })
    expect(await adminOf(shared)).toBe(cleo.id)

    const [dora, y] = [await w.join('Dora'), await w.join('Zeta')]
    const alone = await createGroupWithMembers(dora, y)
    await obstruct(dora, y)
    await pass({ bea: dora, x: y, group: alone, cleo: undefined })
    expect(await adminOf(alone)).toBe(end === 'stays' ? dora.id : undefined)
  })

  test('gets no group that cleo declines', async () => {
    const [bea, cleo, x, dora] = [
      await w.join('Bea'),
      await w.join('Cleo'),
      await w.join('Equis'),
      await w.join('Dora'),
    ]
    const shared = await createGroupWithMembers(bea, cleo, x, dora)
    const alone = await createGroupWithMembers(bea, cleo, x)
    await bea.call(closeAccountOperation, {})
    await obstruct(cleo, x)
    await cleo.call(declineGroupOperation, { groupId: shared })
    expect(await adminOf(shared)).toBe(dora.id)
    expect((await cleo.call(getGroupOperation, { groupId: alone })).can.decline).toBe(false)
    expect(await cleo.refusal(declineGroupOperation, { groupId: alone })).toMatchObject({ code: 403 })
    expect(await adminOf(alone)).toBe(cleo.id)
  })

  test('gets no group whose admin chose her', async () => {
    const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
    const group = await createGroupWithMembers(bea, x, cleo)
    await obstruct(bea, x)
    expect((await bea.call(getDeletionPlanOperation, {})).groups).toMatchObject([
      { $id: group, heirs: [{ $id: cleo.id }] },
    ])
    expect((await askDeletion(bea, { [group]: x.id })).body).toMatchObject({ type: 'group_member_not_found' })
    expect(await adminOf(group)).toBe(bea.id)
  })

  test.each(Object.entries(refusedPaths))('gets no group of an admin who %s', async (_path, go) => {
    const [bea, x] = [await w.join('Bea'), await w.join('Equis')]
    const group = await createGroupWithMembers(bea, x)
    await obstruct(bea, x)
    expect((await go(bea, group)).status).toBeGreaterThanOrEqual(400)
    expect(await adminOf(group)).toBe(bea.id)
  })
})

describe('GRP-27 an admin cannot hand her group over', () => {
  const separations: Record<string, (admin: MemberClient, x: MemberClient) => Promise<unknown>> = {
    'whom she blocked': (bea, x) => bea.call(blockMemberOperation, { personId: x.id }),
    'who blocked her': (bea, x) => x.call(blockMemberOperation, { personId: bea.id }),
  }
  test.each(Object.entries(separations))(
    'to a member %s, and gets the answer for a stranger',
    async (_, separate) => {
      const [bea, x, stranger] = [await w.join('Bea'), await w.join('Equis'), await w.join('Otra')]
      const groupId = await createGroupWithMembers(bea, x)
      await separate(bea, x)
      const answers = await Promise.all(
        [x, stranger].map(({ id }) => bea.ask(handOverGroupOperation, { groupId, memberId: id })),
      )
      expect(answers[0]).toMatchObject({ status: 404, body: { type: 'group_member_not_found' } })
      expect(answers[0]?.body).toEqual(answers[1]?.body)
      const { documents } = await bea.call(listGroupMembersOperation, { groupId })
      expect(documents.filter(({ can }) => can.handOver)).toEqual([])
      expect(await adminOf(groupId)).toBe(bea.id)
    },
  )

  test('at the Appwrite API', async () => {
    const [bea, x] = [await w.join('Bea'), await w.join('Equis')]
    const groupId = await createGroupWithMembers(bea, x)
    await bea.call(blockMemberOperation, { personId: x.id })
    const changed = await createAppwriteDocumentsClient(bea, 'groups').patch(groupId, { adminId: x.id })
    expect(changed.status).toBeGreaterThanOrEqual(400)
    expect(await adminOf(groupId)).toBe(bea.id)
  })
})

describe('GRP-29 after the erasure of bea', () => {
  const passToCleo = async (...others: MemberClient[]) => {
    const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
    const group = await createGroupWithMembers(bea, cleo, ...others)
    await askDeletion(bea)
    await eraseNow(bea)
    expect(await adminOf(group)).toBe(cleo.id)
    return { cleo, group }
  }

  test('cleo can decline the group, and the next member can too', async () => {
    const [dora, eva] = [await w.join('Dora'), await w.join('Eva')]
    const { cleo, group } = await passToCleo(dora, eva)
    expect((await cleo.call(getGroupOperation, { groupId: group })).can.decline).toBe(true)
    for (const [her, next] of [
      [cleo, dora],
      [dora, eva],
    ] as const) {
      await her.call(declineGroupOperation, { groupId: group })
      expect(await adminOf(group)).toBe(next.id)
    }
    expect(await eva.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
  })

  test('cleo cannot decline a group that nobody else can have, and can delete it', async () => {
    const { cleo, group } = await passToCleo()
    expect((await cleo.call(getGroupOperation, { groupId: group })).can).toMatchObject({
      decline: false,
      delete: true,
    })
    expect(await cleo.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
  })
})

test.each([
  ['closed her account', (bea: MemberClient) => bea.call(closeAccountOperation, {})],
  [
    'blocked cleo',
    (bea: MemberClient, cleo: MemberClient) => bea.call(blockMemberOperation, { personId: cleo.id }),
  ],
  [
    'left the group',
    (bea: MemberClient, _: MemberClient, groupId: string) => bea.call(leaveGroupOperation, { groupId }),
  ],
] as const)('GRP-29 cleo sees the same group whether or not bea %s', async (_, happen) => {
  const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, cleo)
  await bea.call(closeAccountOperation, {})
  await happen(await withNewSession(bea), cleo, group)
  expect((await cleo.call(getGroupOperation, { groupId: group })).can).toEqual({
    edit: true,
    delete: true,
    decide: true,
    leave: false,
    decline: false,
  })
  expect(await cleo.refusal(declineGroupOperation, { groupId: group })).toMatchObject({
    code: 403,
    type: 'user_unauthorized',
  })
})

describe('GRP-29 a former admin who left the group and joined again', () => {
  const rejoin = async (...others: MemberClient[]) => {
    const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
    const group = await createGroupWithMembers(bea, cleo, ...others)
    await bea.call(closeAccountOperation, {})
    const returned = await withNewSession(bea)
    await returned.call(leaveGroupOperation, { groupId: group })
    await admitMemberToGroup(cleo, returned, group)
    return { bea: returned, cleo, group }
  }

  test('is not preferred when cleo declines', async () => {
    const dora = await w.join('Dora')
    const { cleo, group } = await rejoin(dora)
    await cleo.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(dora.id)
  })

  test('can decline the group that passed to her', async () => {
    const { bea, cleo, group } = await rejoin()
    const eva = await w.join('Eva')
    await admitMemberToGroup(cleo, eva, group)
    await cleo.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(bea.id)
    await bea.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(eva.id)
  })
})

describe('GRP-27 at the same moment', () => {
  /** Resolves to a function that releases the lock. */
  const hold = async (key: 1 | 2) => {
    const client = await w.database.pool.connect()
    await client.query('select pg_advisory_lock($1)', [key])
    return async () => {
      await client.query('select pg_advisory_unlock($1)', [key])
      client.release()
    }
  }
  let release: Awaited<ReturnType<typeof hold>> | undefined
  beforeEach(() => async () => release?.())
  const releaseNow = async () => {
    const held = release
    release = undefined
    await held?.()
  }
  /** Writes what a sign-in writes when it extends the admin's block to x. Resolves to a function that commits it. */
  const extendBlock = async (admin: MemberClient, x: MemberClient) => {
    const client = await w.database.pool.connect()
    await client.query('begin')
    await client.query(
      `insert into block_pairs (member_id, other_id, block_id)
       select p.member_id, p.other_id, b.id from blocks b join users a on a.id = b.blocker_id and a.public_id = $1
         join users x on x.public_id = $2 cross join lateral (values (a.id, x.id), (x.id, a.id)) as p (member_id, other_id)`,
      [admin.id, x.id],
    )
    return async () => {
      await client.query('commit')
      client.release()
    }
  }
  const blocks: Record<string, (admin: MemberClient, x: MemberClient) => Promise<{ status: number }>> = {
    'the admin blocks x': (admin, x) => admin.ask(blockMemberOperation, { personId: x.id }),
    'x blocks the admin': (admin, x) => x.ask(blockMemberOperation, { personId: admin.id }),
  }
  const separations: typeof blocks = {
    ...blocks,
    'the admin restricts x': (admin, x) => admin.ask(restrictMemberOperation, { personId: x.id }),
  }
  /** @returns the admin, and the way in which the group gets its next admin */
  type Race = (
    x: MemberClient,
    next: MemberClient,
  ) => Promise<{
    admin: MemberClient
    group: string
    pass: () => Promise<unknown>
    fallback: 'next' | 'admin'
  }>
  const closing =
    (pass: (bea: MemberClient) => Promise<unknown>): Race =>
    async (x, next) => {
      const bea = await w.join('Bea')
      return {
        admin: bea,
        group: await createGroupWithMembers(bea, x, next),
        pass: () => pass(bea),
        fallback: 'next',
      }
    }
  const races: Record<string, Race> = {
    'bea closes her account': closing((bea) => bea.ask(closeAccountOperation, {})),
    'bea closes her account at the Appwrite API': closing((bea) =>
      bea.request('PATCH', '/v1/account/status', {}),
    ),
    'bea deletes her account': closing((bea) => askDeletion(bea)),
    'bea is suspended': closing(suspend),
    'bea deletes her account and chooses x': async (x, next) => {
      const bea = await w.join('Bea')
      const group = await createGroupWithMembers(bea, next, x)
      return { admin: bea, group, pass: () => askDeletion(bea, { [group]: x.id }), fallback: 'admin' }
    },
    'cleo declines': async (x, next) => {
      const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
      const group = await createGroupWithMembers(bea, cleo, x, next)
      await bea.call(closeAccountOperation, {})
      return {
        admin: cleo,
        group,
        pass: () => cleo.ask(declineGroupOperation, { groupId: group }),
        fallback: 'next',
      }
    },
  }

  test.each(Object.entries(blocks))(
    'bea cannot hand the group to x if %s just before',
    async (_, separate) => {
      const [bea, x] = [await w.join('Bea'), await w.join('Equis')]
      const groupId = await createGroupWithMembers(bea, x)
      release = await hold(1)
      const separating = separate(bea, x)
      await waitForLockWaits(w.database, 1, separating)
      const handing = bea.ask(handOverGroupOperation, { groupId, memberId: x.id })
      await waitForLockWaits(w.database, 2, handing)
      await releaseNow()
      expect((await separating).status).toBe(200)
      expect((await handing).body).toMatchObject({ type: 'group_member_not_found' })
      expect(await adminOf(groupId)).toBe(bea.id)
    },
  )

  describe('GRP-30 as a suspension of bea that has ended is overturned', () => {
    const prepareAppeal = async () => {
      const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
      const group = await createGroupWithMembers(bea, cleo)
      const caseId = await suspend(bea)
      await w.visitor.call(appealSuspensionOperation, {
        ...{ email: bea.email, password: testPassword, text: 'Era mi hermana' },
      })
      await query(
        `update suspensions s set created_at = s.created_at - interval '8 days', ends_at = clock_timestamp() - interval '1 second'
         from accounts a where a.id = s.account_id and a.public_id = $1`,
        [bea.accountId],
      )
      const overturn = () =>
        mo.ask(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tiene razón' })
      return { bea: await withNewSession(bea), cleo, group, overturn }
    }

    test.each([
      ['bea blocks cleo', (bea: MemberClient, cleo: MemberClient) => [bea, cleo]],
      ['cleo blocks bea', (bea: MemberClient, cleo: MemberClient) => [cleo, bea]],
    ] as const)('cleo keeps the group if %s just before', async (_, order) => {
      const { bea, cleo, group, overturn } = await prepareAppeal()
      const [blocker, blocked] = order(bea, cleo) as [MemberClient, MemberClient]
      release = await hold(1)
      const separating = blocker.ask(blockMemberOperation, { personId: blocked.id })
      await waitForLockWaits(w.database, 1, separating)
      const overturning = overturn()
      await waitForLockWaits(w.database, 2, overturning)
      await releaseNow()
      expect((await separating).status).toBe(200)
      expect((await overturning).status).toBe(200)
      expect(await adminOf(group)).toBe(cleo.id)
    })

    test('cleo keeps the group if a sign-in extends a block to her', async () => {
      const { bea, cleo, group, overturn } = await prepareAppeal()
      const other = await w.join('Otra')
      await bea.call(blockMemberOperation, { personId: other.id })
      const commit = await extendBlock(bea, cleo)
      const overturning = overturn()
      await waitForLockWaits(w.database, 1, overturning)
      await commit()
      expect((await overturning).status).toBe(200)
      expect(await adminOf(group)).toBe(cleo.id)
    })
  })

  describe.each(Object.entries(races))('as %s,', (name, prepare) => {
    test.each(Object.entries(separations))(
      'x does not get the group if %s just before',
      async (_, separate) => {
        const [x, next] = [await w.join('Equis'), await w.join('Dora')]
        const { admin, group, pass, fallback } = await prepare(x, next)
        release = await hold(1)
        const separating = separate(admin, x)
        await waitForLockWaits(w.database, 1, separating)
        const passing = pass()
        await waitForLockWaits(w.database, 2, passing)
        await releaseNow()
        expect((await separating).status).toBe(200)
        await passing
        expect(await adminOf(group)).toBe(fallback === 'next' ? next.id : admin.id)
      },
    )

    if (name !== 'cleo declines')
      test.each(Object.entries(separations))(
        'x gets the group and keeps no block or restriction if %s just after',
        async (_, separate) => {
          const [x, next] = [await w.join('Equis'), await w.join('Dora')]
          const { admin, group, pass } = await prepare(x, next)
          release = await hold(2)
          const passing = pass()
          await waitForLockWaits(w.database, 1, passing)
          const separating = separate(admin, x)
          await waitForLockWaits(w.database, 2, separating)
          await releaseNow()
          await passing
          expect([401, 404]).toContain((await separating).status)
          expect(await adminOf(group)).toBe(x.id)
        },
      )

    test('x does not get the group if a sign-in extends a block to her', async () => {
      const [x, next, other] = [await w.join('Equis'), await w.join('Dora'), await w.join('Otra')]
      const { admin, group, pass } = await prepare(x, next)
      await admin.call(blockMemberOperation, { personId: other.id })
      const commit = await extendBlock(admin, x)
      const passing = pass()
      await waitForLockWaits(w.database, 1, passing)
      await commit()
      await passing
      expect(await adminOf(group)).toBe(next.id)
    })
  })
})
