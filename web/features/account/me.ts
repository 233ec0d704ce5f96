import type { Me as Member } from '#contract/people.ts'

/** The member who asks (spec §3, client session user): `id` and `$id` are the same. */
export type Me = Member & { id: string }

export function toMe(answer: Omit<Member, '$id'> & { $id?: string; id?: string }): Me {
  const id = answer.$id ?? answer.id ?? ''
  return { ...answer, id, $id: id }
}

/** The one place that decides ownership where the server's `can` does not already say it. */
export const isMine = (me: Pick<Me, 'id'>, ownerId: string): boolean => ownerId === me.id
