import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import {
  endWelcomeOperation,
  listSuggestedGroupsOperation,
  listSuggestedPeopleOperation,
} from '#contract/community/welcome.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { createTestWorld, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let dora: MemberClient

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  carla = await w.join('Carla')
  dora = await w.join('Dora')
  for (const who of [ana, bea, carla]) await who.call(followOperation, { personId: dora.id })
  for (const who of [bea, dora]) await who.call(followOperation, { personId: carla.id })
})
afterAll(() => w.end())

const signUpInTheWeb = (name: string, invite?: string) =>
  signUpAndSignIn(w.app, {
    name,
    username: name.toLowerCase(),
    email: `${name.toLowerCase()}@juntas.test`,
    password: testPassword,
    welcome: true,
    invite,
  })
const isWelcomed = async (who: MemberClient) =>
  (await who.call(getCurrentMemberOperation, {})).welcome === true
const peopleFor = async (who: MemberClient) =>
  (await who.call(listSuggestedPeopleOperation, {})).documents.map(({ name }) => name)
const groupsFor = async (who: MemberClient) =>
  (await who.call(listSuggestedGroupsOperation, {})).documents.map(({ name }) => name)

test('SUP-17 eva, who signs up on the web, sees one welcome on all her devices until she dismisses it', async () => {
  const eva = await signUpInTheWeb('Eva')
  expect(await isWelcomed(eva)).toBe(true)
  expect(await isWelcomed(ana)).toBe(false)
  const answers = await Promise.all([1, 2].map(() => eva.ask(endWelcomeOperation, {})))
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(await isWelcomed(eva)).toBe(false)
})

test("SUP-17 members created through the API see no welcome, and bea's dismissal does not dismiss another member's welcome", async () => {
  const fay = await signUpInTheWeb('Fay')
  await bea.call(endWelcomeOperation, {})
  expect(await isWelcomed(fay)).toBe(true)
  expect(await isWelcomed(bea)).toBe(false)
})

test('SUP-17 a visitor gets no welcome and no suggestions', async () => {
  for (const operation of [listSuggestedPeopleOperation, listSuggestedGroupsOperation, endWelcomeOperation])
    expect((await w.visitor.ask(operation, {})).status).toBe(401)
})

test('SUP-18 suggestions name at most three people: the inviter, then the most followed, never the caller', async () => {
  const { code } = await ana.call(createInvitationOperation, {})
  const gina = await signUpInTheWeb('Gina', code ?? undefined)
  expect(await peopleFor(gina)).toEqual(['Ana', 'Dora', 'Carla'])
  const hilda = await signUpInTheWeb('Hilda')
  expect((await peopleFor(hilda)).slice(0, 2)).toEqual(['Dora', 'Carla'])
  expect(await peopleFor(hilda)).toHaveLength(3)
  expect(await peopleFor(hilda)).not.toContain('Hilda')
})

test('SUP-18 an inviter on either side of a block is not suggested to her guest', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => bea.call(createInvitationOperation, {})))
  const ines = await signUpInTheWeb('Ines', first?.code ?? undefined)
  await bea.call(blockMemberOperation, { personId: ines.id })
  expect(await peopleFor(ines)).not.toContain('Bea')
  const juana = await signUpInTheWeb('Juana', second?.code ?? undefined)
  await juana.call(blockMemberOperation, { personId: bea.id })
  expect(await peopleFor(juana)).not.toContain('Bea')
})

test('SUP-18 one group is suggested: the largest, or the newest of equally large groups', async () => {
  const kira = await signUpInTheWeb('Kira')
  expect(await groupsFor(kira)).toEqual([])
  const { $id: barro } = await carla.call(createGroupOperation, { name: 'Barro' })
  await dora.call(createGroupOperation, { name: 'Lana' })
  expect(await groupsFor(kira)).toEqual(['Lana'])
  const { $id } = await ana.call(requestToJoinOperation, { groupId: barro })
  await carla.call(approveJoinRequestOperation, { requestId: $id })
  expect(await groupsFor(kira)).toEqual(['Barro'])
})
