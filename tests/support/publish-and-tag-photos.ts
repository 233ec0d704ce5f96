import type { MemberClient } from '#api-client/member-client.ts'
import { followOperation } from '#contract/people/people.ts'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import {
  acceptPhotoTagOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import { createPostOperation, type Post } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'

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

/** Makes the member follow the author first, which permits the tag. */
export async function tagMember(
  author: MemberClient,
  person: MemberClient,
  { $id: postId, imageId }: { $id: string; imageId: string },
): Promise<PhotoTag> {
  await person.call(followOperation, { personId: author.id })
  return author.call(tagPersonOperation, { postId, imageId, personId: person.id, x: 0.25, y: 0.75 })
}

export async function tagAndShowMember(
  author: MemberClient,
  person: MemberClient,
  photo: { $id: string; imageId: string },
): Promise<PhotoTag> {
  const tag = await tagMember(author, person, photo)
  await person.call(acceptPhotoTagOperation, { photoTagId: tag.$id })
  return tag
}

export async function tagAndWithholdPhoto(
  author: MemberClient,
  person: MemberClient,
  photo: { $id: string; imageId: string },
): Promise<PhotoTag> {
  const tag = await tagMember(author, person, photo)
  await person.call(withholdPhotoOperation, { postId: photo.$id, imageId: photo.imageId })
  return tag
}
