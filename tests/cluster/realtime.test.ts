/** Attacks R02 and R11; faults T23 and T24. */
import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { readConfig } from '#server/config.ts'
import { readInstanceId } from '#server/database/instance-id.ts'
import { createServerLogger } from '#server/log.ts'
import { redisChannelOf } from '#server/realtime/redis-channel.ts'
import { extractMessagesFromChanges } from '#tests/support/change-log-position.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { type SecondServerNode, startSecondServerNode } from '../support/second-node.ts'
import { collectSocketEvents, openTestSocket } from '../support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../support/world.ts'

const redisUrl = process.env.TEST_REDIS_URL
const ways: [string, Record<string, string>][] = [['NOTIFY', {}]]
if (redisUrl) ways.push(['Redis', { REDIS_URL: redisUrl }])

const messages = { channels: [buildDocumentsChannelName('messages')] }
const contents = (events: Awaited<ReturnType<typeof collectSocketEvents>>) =>
  events.map(({ payload }) => payload.content)

describe.each(ways)('two nodes that wake each other by %s', (_, env) => {
  let w: TestWorld
  let other: SecondServerNode
  let ana: MemberClient
  let bea: MemberClient
  let conversation: string
  beforeAll(async () => {
    w = await createTestWorld(env)
    other = await startSecondServerNode(w.database, env)
    ana = await w.join('Ana')
    bea = await w.join('Bea')
    await bea.call(followOperation, { personId: ana.id })
    conversation = (await ana.call(openConversationOperation, { personId: bea.id })).$id
  })
  afterAll(async () => {
    await other.end()
    await w.end()
  })

  test('changes on one node are sent on both nodes, once and in order', async () => {
    const sockets = [
      await openTestSocket(w.app, { as: bea, ...messages }),
      await openTestSocket(other.app, { as: bea, ...messages }),
    ]
    const sent = Array.from({ length: 40 }, (_, n) => `m${n}`)
    for (const content of sent)
      await ana.call(sendMessageOperation, { conversationId: conversation, content })
    for (const socket of sockets) {
      expect(contents(await collectSocketEvents(socket, ana))).toEqual(sent)
      socket.close()
    }
  })

  test('TYPE-01 a typing indicator on one node appears on both nodes, once each', async () => {
    const options = { path: '/v1/live' }
    for (const member of [ana, bea]) await member.call(updatePrivacySettingsOperation, { showsTyping: true })
    await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
    const from = await openTestSocket(w.app, { as: ana, ...options })
    const sockets = [
      await openTestSocket(w.app, { as: bea, ...options }),
      await openTestSocket(other.app, { as: bea, ...options }),
    ]
    const isTyping = ({ type }: { type: string }) => type === 'typing'
    from.send({ type: 'typing', data: { conversationId: conversation } })
    for (const socket of sockets) {
      expect((await socket.until(isTyping)).data).toEqual({ conversationId: conversation, personId: ana.id })
    }
    for (const socket of [from, ...sockets]) {
      expect(socket.frames.filter(isTyping)).toHaveLength(socket === from ? 0 : 1)
      socket.close()
    }
  })

  test('BLK-20 a block on one node reaches both members on both nodes', async () => {
    const users = { channels: [buildDocumentsChannelName('users')] }
    for (const [listener, gone] of [
      [bea, ana],
      [ana, bea],
    ] as const) {
      const sockets = [
        await openTestSocket(w.app, { as: listener, ...users }),
        await openTestSocket(other.app, { as: listener, ...users }),
      ]
      await ana.call(blockMemberOperation, { personId: bea.id })
      for (const socket of sockets) {
        expect((await socket.event('users', 'delete')).payload.$id).toBe(gone.id)
        socket.close()
      }
      await ana.call(unblockMemberOperation, { personId: bea.id })
    }
  })

  test('R11 changes without a wake-up signal are still sent', async () => {
    const socket = await openTestSocket(other.app, { as: bea, ...messages })
    await w.database.pool.query(
      `with sent as (
         insert into messages (public_id, conversation_id, sender_id, content)
         select 'unannounced', c.id, u.id, 'sin aviso' from conversations c, users u
         where c.public_id = $1 and u.public_id = $2 returning id, public_id, conversation_id)
       insert into changes (collection, kind, row_id, public_id, member_ids)
       select 'messages', 'create', s.id, s.public_id, array[c.low_id, c.high_id]
       from sent s join conversations c on c.id = s.conversation_id`,
      [conversation, ana.id],
    )
    expect(contents(await collectSocketEvents(socket, ana))).toEqual(['sin aviso'])
    socket.close()
  })

  test('R11 a node that loses its listening connection loses no change', async () => {
    const socket = await openTestSocket(other.app, { as: bea, ...messages })
    const sent: string[] = []
    for (let n = 0; n < 20; n += 1) {
      if (n % 5 === 0) {
        await w.database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'juntas live' and datname = current_database()`,
        )
      }
      sent.push(
        (await ana.call(sendMessageOperation, { conversationId: conversation, content: `x${n}` })).content,
      )
    }
    expect(contents(await collectSocketEvents(socket, ana)).toSorted()).toEqual(sent.toSorted())
    socket.close()
  })
})

test('a node that cannot reach Redis reads the outbox by itself', async () => {
  const w = await createTestWorld({ REDIS_URL: 'redis://127.0.0.1:1' })
  const other = await startSecondServerNode(w.database, { REDIS_URL: 'redis://127.0.0.1:1' })
  try {
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    const { $id } = await ana.call(openConversationOperation, { personId: bea.id })
    const socket = await openTestSocket(other.app, { as: bea, ...messages })
    await ana.call(sendMessageOperation, { conversationId: $id, content: 'sin Redis' })
    expect(contents(await collectSocketEvents(socket, ana))).toEqual(['sin Redis'])
  } finally {
    await other.end()
    await w.end()
  }
})

if (redisUrl)
  test('two instances on one Redis receive no changes of each other', async () => {
    const databases = [await createTestDatabase(), await createTestDatabase()]
    const received: string[][] = [[], []]
    const config = readConfig({ DATA_DIR: tmpdir(), LOG_LEVEL: 'silent', REDIS_URL: redisUrl })
    const channels = await Promise.all(
      databases.map(async (database, n) =>
        redisChannelOf(await readInstanceId(database))({
          config,
          database,
          log: createServerLogger('silent'),
          received: (message) => received[n]?.push(message),
          missed: () => {},
        }),
      ),
    )
    // A subscription is active after its first message. Each instance receives messages in order.
    await waitFor(async () => {
      await Promise.all(channels.map((channel, n) => channel.publish(`of ${n}`)))
      expect(received.map((messages) => messages.length > 0)).toEqual([true, true])
    })
    expect(received.map((messages) => [...new Set(messages)])).toEqual([['of 0'], ['of 1']])
    await Promise.all([...channels, ...databases].map((each) => each.close()))
  })

describe('while the database cannot be reached', () => {
  let w: TestWorld
  afterEach(() => {
    vi.useRealTimers()
  })

  async function cut(): Promise<() => Promise<void>> {
    const { rows } = await w.database.pool.query<{ name: string }>('select current_database() as name')
    const name = rows[0]?.name
    const operator = new Client({ connectionString: inject('databaseServer') })
    await operator.connect()
    await operator.query(`alter database ${name} with allow_connections false`)
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    return async () => {
      await operator.query(`alter database ${name} with allow_connections true`)
      await operator.end()
    }
  }

  test('T24 nothing is sent and no new client is admitted during the outage, and nothing is missing afterwards', async () => {
    w = await createTestWorld()
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    const { $id } = await ana.call(openConversationOperation, { personId: bea.id })
    const socket = await openTestSocket(w.app, { as: bea, ...messages })
    const heal = await cut()
    const refused = await ana.refusal(sendMessageOperation, { conversationId: $id, content: 'perdido' })
    expect(refused.code).toBe(503)
    const late = await openTestSocket(w.app, { as: bea, ...messages })
    expect(await late.closed).toBe(1013)
    expect(socket.events()).toEqual([])
    await heal()
    await ana.call(sendMessageOperation, { conversationId: $id, content: 'de vuelta' })
    expect(contents(await collectSocketEvents(socket, ana))).toEqual(['de vuelta'])
    await w.end()
  })

  test('T24 after a few seconds the server asks its sockets to try another node', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    w = await createTestWorld()
    const bea = await w.join('Bea')
    const socket = await openTestSocket(w.app, { as: bea, ...messages })
    const heal = await cut()
    while (socket.isOpen) {
      vi.advanceTimersByTime(1000)
      // Meanwhile the poll of this second fails like this query.
      await expect(w.database.pool.query('select')).rejects.toThrow()
    }
    expect(await socket.closed).toBe(1013)
    await heal()
    await w.end()
  })
})

test('T23 a stopping server closes every socket with 1012', async () => {
  const w = await createTestWorld()
  const bea = await w.join('Bea')
  const sockets = await Promise.all([
    openTestSocket(w.app, { as: bea }),
    openTestSocket(w.app),
    openTestSocket(w.app),
  ])
  const ended = w.end()
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1012, 1012, 1012])
  await ended
})

test('the messages received before a broken connection and by catch-up are complete', async () => {
  const w = await createTestWorld()
  try {
    const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
    const { $id } = await ana.call(openConversationOperation, { personId: bea.id })
    await bea.call(followOperation, { personId: ana.id })
    const sent = Array.from({ length: 60 }, (_, n) => `m${n}`)
    const received = new Set<unknown>()
    let position = (await bea.call(catchUpOperation, {})).position
    const sending = (async () => {
      for (const content of sent) await ana.call(sendMessageOperation, { conversationId: $id, content })
    })()
    for (let round = 0; round < 6; round += 1) {
      const socket = await openTestSocket(w.app, { as: bea, ...messages })
      const missed = await bea.call(catchUpOperation, { since: position, collections: 'messages' })
      for (const { content } of extractMessagesFromChanges(missed.changes)) received.add(content)
      position = missed.position
      await socket.until(({ type }) => type === 'event')
      for (const event of socket.events()) {
        received.add(event.payload.content)
        position = event.position
      }
      socket.ws.terminate()
      if (received.size === sent.length) break
    }
    await sending
    const { changes } = await bea.call(catchUpOperation, { since: position, collections: 'messages' })
    for (const { content } of extractMessagesFromChanges(changes)) received.add(content)
    expect([...received].toSorted()).toEqual(sent.toSorted())
  } finally {
    await w.end()
  }
})
