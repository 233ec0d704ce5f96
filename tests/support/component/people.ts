import { page } from 'vitest/browser'
import type { OperationOutput } from '#contract/operation.ts'
import { previewBlockOperation } from '#contract/people/blocks.ts'
import {
  getMuteOperation,
  getRestrictionOperation,
  muteMemberOperation,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import {
  followOperation,
  getPersonOperation,
  listPeopleOperation,
  type Profile,
  unfollowOperation,
} from '#contract/people/people.ts'
import { listPersonPostsOperation, type Post } from '#contract/posts/posts.ts'
import { refusal } from './fake-api.ts'
import { makeProfile, newId } from './fixtures.ts'
import { api } from './open-app.tsx'

export const ana = makeProfile({ $id: newId('ana'), name: 'Ana Ruiz', username: 'ana' })

export const main = page.getByRole('main')
export const title = main.getByRole('heading', { level: 1 })
export const toasts = page.getByRole('region', { name: 'Notifications (F8)' })
export const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
export const question = (name: string | RegExp) => page.getByRole('alertdialog', { name })
export const personItem = ({ username }: { username: string }) =>
  main.getByRole('listitem').filter({ hasText: `@${username}` })

/** A cursor is a document's id. */
export const inPages =
  <T extends { $id: string }>(documents: readonly T[], size = 20) =>
  ({ cursor }: { cursor?: string | undefined }) => {
    const from = cursor ? documents.findIndex(({ $id }) => $id === cursor) + 1 : 0
    const shown = documents.slice(from, from + size)
    return {
      documents: shown,
      next: from + size < documents.length ? (shown.at(-1)?.$id ?? null) : null,
    }
  }

export const makePrivateProfile = (given: Partial<Profile> = {}): Profile =>
  makeProfile({
    isPrivate: true,
    followerCount: null,
    followingCount: null,
    listsFor: 'followers',
    can: { write: true, block: true, seePosts: false, seeLists: false },
    ...given,
  })

/** @returns the profiles, which a test can replace */
export function answerPeople(people: Profile[], posts: Post[] = []): Map<string, Profile> {
  const known = new Map([ana, ...people].map((person) => [person.$id, person]))
  const get = (id: string) => known.get(id) ?? refusal('user_not_found')
  const setFollow = (wanted: boolean, personId: string) => {
    const person = known.get(personId)
    if (!person) return refusal('user_not_found')
    const following = wanted && !person.isPrivate
    const requested = wanted && person.isPrivate
    const step = Number(following) - Number(person.following)
    const followerCount = person.followerCount === null ? null : person.followerCount + step
    known.set(personId, { ...person, following, requested, followerCount })
    return { following, requested }
  }
  api.answer(getPersonOperation, ({ personId }) => get(personId))
  api.answer(listPeopleOperation, (input) => inPages([...known.values()].reverse())(input))
  api.answer(followOperation, ({ personId }) => setFollow(true, personId))
  api.answer(unfollowOperation, ({ personId }) => setFollow(false, personId))
  api.answer(listPersonPostsOperation, ({ personId, ...input }) =>
    inPages(posts.filter(({ creator }) => creator?.$id === personId))(input),
  )
  return known
}

/** @returns the ids of muted people */
export function answerPersonMenu(
  preview: Partial<OperationOutput<typeof previewBlockOperation>> = {},
): Set<string> {
  const muted = new Set<string>()
  api.answer(getMuteOperation, ({ personId }) => ({ muted: muted.has(personId) }))
  api.answer(getRestrictionOperation, { restricted: false })
  api.answer(muteMemberOperation, ({ personId }) => {
    muted.add(personId)
    return { muted: true }
  })
  api.answer(unmuteMemberOperation, ({ personId }) => {
    muted.delete(personId)
    return { muted: false }
  })
  api.answer(previewBlockOperation, {
    groups: [],
    conversationId: null,
    following: false,
    followsMe: false,
    ...preview,
  })
  return muted
}
