import { describe, expect, test } from 'vitest'
import { type PostFormDraft, postFormSchema, toPostDraftPhoto } from './post-form-schema.ts'

const picture = new File(['x'], 'sol.png', { type: 'image/png' })
const complete: PostFormDraft = {
  caption: 'Cinco',
  photos: [toPostDraftPhoto(picture)],
  location: 'Tonalá',
  tags: '',
  groupId: '',
}

function reasons(change: Partial<PostFormDraft>) {
  const answer = postFormSchema.safeParse({ ...complete, ...change })
  return answer.success
    ? []
    : answer.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`)
}

describe('the post form', () => {
  test('PCRE-07 wants a caption of five characters, blanks around it not counted', () => {
    expect(reasons({ caption: 'Cuat' })).toEqual(['caption: Minimum 5 characters.'])
    expect(reasons({ caption: ' Cuat ' })).toEqual(['caption: Minimum 5 characters.'])
    expect(reasons({ caption: 'Cinco' })).toEqual([])
  })

  test('PCRE-08 takes a caption of 2200 characters and not of 2201', () => {
    expect(reasons({ caption: 'a'.repeat(2200) })).toEqual([])
    expect(reasons({ caption: 'a'.repeat(2201) })).toEqual(['caption: Maximum 2,200 caracters'])
  })

  test('PCRE-09 wants a picture', () => {
    expect(reasons({ photos: [] })).toEqual(['photos: Required'])
  })

  test('PHOTO-01 PHOTO-02 takes ten pictures and not eleven, each as the file it is', () => {
    const ten = Array.from({ length: 10 }, () => toPostDraftPhoto(picture))
    expect(reasons({ photos: ten })).toEqual([])
    expect(reasons({ photos: [...ten, toPostDraftPhoto(picture)] })).toEqual(['photos: Too many files'])
    expect(postFormSchema.parse({ ...complete, photos: ten }).photos[9]?.file).toBe(picture)
  })

  test('ALT-01 takes a description of 1000 characters and not of 1001', () => {
    const described = (length: number) => [{ ...toPostDraftPhoto(picture), alt: 'a'.repeat(length) }]
    expect(reasons({ photos: described(1000) })).toEqual([])
    expect(reasons({ photos: described(1001) })).toEqual(['photos: Maximum 1000 characters.'])
  })

  test('PCRE-10 PCRE-11 wants a location of 1 to 1000 characters', () => {
    expect(reasons({ location: '  ' })).toEqual(['location: This field is required'])
    expect(reasons({ location: 'a'.repeat(1000) })).toEqual([])
    expect(reasons({ location: 'a'.repeat(1001) })).toEqual(['location: Maximum 1000 characters.'])
  })

  test('PCRE-12 PCRE-14 makes a list of the tags, an empty one of no text', () => {
    expect(postFormSchema.parse({ ...complete, tags: 'sol y mar, playa' }).tags).toEqual(['solymar', 'playa'])
    expect(postFormSchema.parse({ ...complete, tags: ' , #sol,,' }).tags).toEqual(['sol'])
    expect(postFormSchema.parse(complete).tags).toEqual([])
  })

  test('PCRE-15 says of the one text what is wrong with a tag in it', () => {
    expect(reasons({ tags: `sol, ${'a'.repeat(51)}` })).toEqual(['tags: A tag has at most 50 characters.'])
    expect(reasons({ tags: 'a,'.repeat(31) })).toEqual(['tags: At most 30 tags.'])
  })

  test('PCRE-13 sends null for a public post, never an empty id', () => {
    expect(postFormSchema.parse(complete).groupId).toBeNull()
    expect(postFormSchema.parse({ ...complete, groupId: 'g1' }).groupId).toBe('g1')
  })
})
