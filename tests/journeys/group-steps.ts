import type { Group } from '#contract/groups/groups.ts'
import { expect, type JourneyMember } from './fixtures.ts'

type Given = { name?: string; description?: string }

export async function createGroupViaApi(
  admin: JourneyMember,
  given: Given = {},
  members: JourneyMember[] = [],
): Promise<Group> {
  const { name = `Tejer ${admin.username}`, description = '' } = given
  const answer = await admin.request.post('/v1/groups', { data: { name, description } })
  expect(answer.status()).toBe(201)
  const group: Group = await answer.json()
  for (const member of members)
    await answerJoinRequest(admin, 'approve', await submitJoinRequest(member, group))
  return group
}

export async function submitJoinRequest(person: JourneyMember, group: Group): Promise<string> {
  const answer = await person.request.post(`/v1/groups/${group.$id}/requests`, { data: {} })
  expect(answer.status()).toBe(201)
  return (await answer.json()).$id
}

export async function answerJoinRequest(
  admin: JourneyMember,
  decision: 'approve' | 'reject',
  requestId: string,
) {
  const answer = await admin.request.post(`/v1/group-requests/${requestId}/${decision}`, { data: {} })
  expect(answer.ok()).toBe(true)
}

export async function removeMemberFromGroup(group: Group, admin: JourneyMember, member: JourneyMember) {
  const answer = await admin.request.delete(`/v1/groups/${group.$id}/members/${member.$id}`, { data: {} })
  expect(answer.ok()).toBe(true)
}
