/** Each race also runs once without its trigger, and then the write must complete. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, createApiClient } from '#api-client/member-client.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let iria: MemberClient
let bea: MemberClient
let beas: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, iria] = [await w.join('Ana'), await w.join('Iria')]
  bea = await w.join('Bea')
  beas = await createPostInGroup(w.database, bea, null)
  // Removes another lock for which new conversations wait, so that only the trigger protects them.
  await w.database.pool.query(`
    create function wait_in_the_middle() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(1);
      return new;
    end $$;
    create trigger conversations_wait before insert on conversations for each row execute function wait_in_the_middle()`)
})
afterAll(() => w.end())

const rounds = Number(process.env.RACE_ROUNDS ?? 5)
const query = (text: string, values: unknown[] = []) => w.database.pool.query(text, values)
const numberOf = async (text: string, values: unknown[] = []): Promise<number> =>
  (await query(`select (${text})::int as number`, values)).rows[0].number
const key = (person: MemberClient) => `(select id from users where public_id = '${person.id}')`

async function reset(): Promise<void> {
  for (const [who, other] of [
    [ana, iria],
    [iria, ana],
  ] as const) {
    await who.call(unblockMemberOperation, { personId: other.id })
    await who.request('DELETE', `/v1/people/${other.id}/follow`, {})
  }
  await removeAllConversations(w.database)
  await query('delete from saves')
}

type Write = {
  table: string
  trigger: string
  /** @returns the id of the row that the write needs */
  given?: (writer: MemberClient, other: MemberClient) => Promise<string>
  /** Returns a statement that takes a lock for which the write waits midway. */
  hold: (writer: MemberClient, other: MemberClient, id: string) => string
  write: (writer: MemberClient, other: MemberClient, id: string) => Promise<ApiResponse>
}

/** A row of another member with this id makes the write wait. */
const held = 'held'
const writes: Record<string, Write> = {
  'a follow': {
    table: 'follows',
    trigger: 'follows_blocked',
    hold: (writer) => `select from users where id = ${key(writer)} for no key update`,
    write: (writer, other) => writer.request('PUT', `/v1/people/${other.id}/follow`, {}),
  },
  'a message': {
    table: 'messages',
    trigger: 'messages_admit',
    given: async (writer, other) =>
      (await writer.call(openConversationOperation, { personId: other.id })).$id,
    hold: (_, __, id) => `select from conversations where public_id = '${id}' for no key update`,
    write: (writer, _, id) => writer.request('POST', `/v1/conversations/${id}/messages`, { content: 'hola' }),
  },
  'a new conversation': {
    table: 'conversations',
    trigger: 'conversations_blocked',
    hold: () => 'select pg_advisory_xact_lock(1)',
    write: (writer, other) =>
      createAppwriteDocumentsClient(writer, 'conversations').create({ participants: [writer.id, other.id] }),
  },
  'a like': {
    table: 'post_likes',
    trigger: 'post_likes_blocked',
    given: (_, other) => createPostInGroup(w.database, other, null),
    hold: (_, __, id) => `select from posts where public_id = '${id}' for no key update`,
    write: (writer, _, id) => writer.request('PUT', `/v1/posts/${id}/like`, {}),
  },
  'a save': {
    table: 'saves',
    trigger: 'saves_blocked',
    given: (_, other) => createPostInGroup(w.database, other, null),
    hold: () => `insert into saves (public_id, user_id, post_id)
      values ('${held}', ${key(bea)}, (select id from posts where public_id = '${beas}'))`,
    write: (writer, _, id) =>
      createAppwriteDocumentsClient(writer, 'saves').create({ user: writer.id, post: id }, held),
  },
}

/** @returns the rounds in which the write completed although the block was acknowledged before */
async function crossings({ given, hold, write }: Write, count: number): Promise<number> {
  let crossed = 0
  for (let round = 0; round < count; round += 1) {
    await reset()
    const [writer, other] = round % 2 === 0 ? [iria, ana] : [ana, iria]
    const id = (await given?.(writer, other)) ?? ''
    const holder = await w.database.pool.connect()
    await holder.query('begin')
    await holder.query(hold(writer, other, id)).catch((error) => {
      holder.release(error)
      throw error
    })
    const writing = write(writer, other, id)
    await waitForLockWaits(w.database, 1, writing)
    let acknowledged = false
    const blocking = ana.ask(blockMemberOperation, { personId: iria.id }).then((answer) => {
      acknowledged = true
      return answer
    })
    await waitForLockWaits(w.database, 2, blocking)
    const before = acknowledged
    await holder.query('rollback')
    holder.release()
    const [written, blocked] = await Promise.all([writing, blocking])
    expect(blocked.status).toBe(200)
    expect(written.status).toBeLessThan(500)
    const follows = await numberOf('select count(*) from follows')
    if ((before && written.status < 300) || follows > 0) crossed += 1
  }
  return crossed
}

describe('BLK-13 C08 concurrent actions while one member blocks the other', () => {
  for (const [name, write] of Object.entries(writes)) {
    test(`BLK-13 C08 ${name}, from either side: nothing is created after the block`, {
      timeout: raceTimeoutMs,
    }, async () => {
      expect(await crossings(write, rounds)).toBe(0)
      expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
    })

    test(`without the database trigger, ${name} would be created after the block`, {
      timeout: raceTimeoutMs,
    }, async () => {
      await query(`alter table ${write.table} disable trigger ${write.trigger}`)
      try {
        expect(await crossings(write, 2)).toBeGreaterThan(0)
      } finally {
        await query(`alter table ${write.table} enable trigger ${write.trigger}`)
      }
      await reset()
      await query('truncate follows; update users set follower_count = 0, following_count = 0')
    })
  }

  test('BLK-13 C08 concurrent follows, messages and likes with a block leave no follow between the two members', {
    timeout: raceTimeoutMs,
  }, async () => {
    const postId = await createPostInGroup(w.database, ana, null)
    await runRaceRounds(
      w.database,
      async () => {
        await reset()
        const { $id } = await iria.call(openConversationOperation, { personId: ana.id })
        return [
          ...createArrayByIndex(4, (n) => () => {
            const [who, whom] = n % 2 ? [ana, iria] : [iria, ana]
            return who.request('PUT', `/v1/people/${whom.id}/follow`, {})
          }),
          ...createArrayByIndex(2, () => () => iria.request('PUT', `/v1/posts/${postId}/like`, {})),
          () => ana.ask(blockMemberOperation, { personId: iria.id }),
          ...createArrayByIndex(
            2,
            () => () => iria.request('POST', `/v1/conversations/${$id}/messages`, { content: 'hola' }),
          ),
          () => ana.request('POST', `/v1/conversations/${$id}/messages`, { content: 'hola' }),
        ]
      },
      async (answers) => {
        expect(answers[6]?.status).toBe(200)
        expect(await numberOf('select count(*) from follows')).toBe(0)
      },
    )
  })

  test('BLK-13 two members who block each other concurrently, each twice, have two blocks and are hidden from each other', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await reset()
        return createArrayByIndex(4, (n) => () => {
          const [who, whom] = n % 2 ? [ana, iria] : [iria, ana]
          return who.ask(blockMemberOperation, { personId: whom.id })
        })
      },
      async (answers) => {
        // If both block each other at the same time, the second may no longer see the first.
        const refused = answers.filter(({ status }) => status !== 200)
        expect(refused.filter(({ status }) => status !== 404)).toEqual([])
        const blocks = await numberOf('select count(*) from blocks')
        expect(blocks).toBe(
          new Set(answers.map(({ body }) => (body as { blockId?: string }).blockId).filter(Boolean)).size,
        )
        expect(await numberOf('select count(*) from block_pairs')).toBe(2 * blocks)
      },
    )
  })

  test("BLK-13 if one member unblocks while the other blocks, the other's block stays", {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        await reset()
        const { $id } = await iria.call(openConversationOperation, { personId: ana.id })
        await iria.call(sendMessageOperation, { conversationId: $id, content: 'Hola' })
        await ana.call(blockMemberOperation, { personId: iria.id })
        return [
          () => ana.ask(unblockMemberOperation, { personId: iria.id }),
          () => iria.ask(blockMemberOperation, { personId: ana.id }),
        ]
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 2 })
        expect(await ana.refusal(getPersonOperation, { personId: iria.id })).toMatchObject({ code: 404 })
        expect(await numberOf('select count(*) from block_pairs')).toBe(2)
      },
    )
  })

  test('BLK-13 BLK-29 a newer account that signs in during the block is blocked too', {
    timeout: raceTimeoutMs,
  }, async () => {
    await reset()
    const signIn = ({ email }: MemberClient, device: string) =>
      createApiClient(w.app, device).request('POST', '/v1/sessions', { email, password: testPassword })
    const first = await signIn(iria, '')
    const device = /(?:^|\n)([^=\n]*device_juntas=[^;]+)/.exec(String(first.headers['set-cookie']))?.[1] ?? ''
    let newer: MemberClient
    await runRaceRounds(
      w.database,
      async (round) => {
        await reset()
        newer = await w.join(`Nueva${round}`)
        return [() => signIn(newer, device), () => ana.ask(blockMemberOperation, { personId: iria.id })]
      },
      async (answers) => {
        expect(answers.map(({ status }) => status)).toEqual([201, 200])
        expect(await ana.refusal(getPersonOperation, { personId: newer.id })).toMatchObject({ code: 404 })
        expect(await newer.refusal(getPersonOperation, { personId: ana.id })).toMatchObject({ code: 404 })
      },
    )
  })
})
