/** Naming people in photos, as the people of a test do it. */
import type { MemberClient } from '#api-client/member-client.ts'
import {
  acceptNamingOperation,
  namePersonOperation,
  withholdPhotoOperation,
} from '#contract/named-people/named-people.ts'
import type { NamedPerson } from '#contract/named-people/named-person.ts'
import { followOperation } from '#contract/people.ts'
import { createPostOperation, type Post } from '#contract/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'

/** A post of `author` with so many photos, each of real bytes. */
export async function publishPhotos(
  author: MemberClient,
  count: number,
  groupId: string | null = null,
): Promise<Post> {
  const photos = []
  for (let n = 0; n < count; n += 1) photos.push({ imageId: await author.upload(await createJpeg()) })
  return author.call(createPostOperation, {
    ...{ caption: 'Nosotras en Tonalá', location: 'Tonalá', tags: ['playa'], photos, groupId },
  })
}

/** Asks a member who lets it be, because she follows the author. */
export async function nameMember(
  author: MemberClient,
  person: MemberClient,
  { $id: postId, imageId }: { $id: string; imageId: string },
): Promise<NamedPerson> {
  await person.call(followOperation, { personId: author.id })
  return author.call(namePersonOperation, { postId, imageId, personId: person.id, x: 0.25, y: 0.75 })
}

/** Names a member and has her say yes. */
export async function nameAndShowMember(
  author: MemberClient,
  person: MemberClient,
  photo: { $id: string; imageId: string },
): Promise<NamedPerson> {
  const named = await nameMember(author, person, photo)
  await person.call(acceptNamingOperation, { namingId: named.$id })
  return named
}

/** Names a member in a photo, which she then hides. */
export async function nameAndWithholdPhoto(
  author: MemberClient,
  person: MemberClient,
  photo: { $id: string; imageId: string },
): Promise<NamedPerson> {
  const named = await nameMember(author, person, photo)
  await person.call(withholdPhotoOperation, { postId: photo.$id, imageId: photo.imageId })
  return named
}
