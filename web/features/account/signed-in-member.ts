import type { CurrentMember as Member } from '#contract/people.ts'

/** The signed-in member: `id` and `$id` are the same. */
export type SignedInMember = Member & { id: string }

export function normalizeSignedInMember(
  answer: Omit<Member, '$id'> & { $id?: string; id?: string },
): SignedInMember {
  const id = answer.$id ?? answer.id ?? ''
  return { ...answer, id, $id: id }
}

/** Says whether the signed-in member owns something; used only where the server's `can` does not say it already. */
export const isOwnedBySignedInMember = (me: Pick<SignedInMember, 'id'>, ownerId: string): boolean =>
  ownerId === me.id
