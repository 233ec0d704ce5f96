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
  test('PCRE-07 the caption needs five characters, not counting blanks around it', () => {
    expect(reasons({ caption: 'Cuat' })).toEqual(['caption: Minimum 5 characters.'])
    expect(reasons({ caption: ' Cuat ' })).toEqual(['caption: Minimum 5 characters.'])
    expect(reasons({ caption: 'Cinco' })).toEqual([])
  })

  test('PCRE-08 the caption has at most 2200 characters', () => {
    expect(reasons({ caption: 'a'.repeat(2200) })).toEqual([])
    expect(reasons({ caption: 'a'.repeat(2201) })).toEqual(['caption: Maximum 2,200 caracters'])
  })

  test('PCRE-09 a post needs a picture', () => {
    expect(reasons({ photos: [] })).toEqual(['photos: Required'])
  })

  test('PHOTO-01 PHOTO-02 a post has at most ten pictures, and each file stays unchanged', () => {
    const ten = Array.from({ length: 10 }, () => toPostDraftPhoto(picture))
    expect(reasons({ photos: ten })).toEqual([])
    expect(reasons({ photos: [...ten, toPostDraftPhoto(picture)] })).toEqual(['photos: Too many files'])
    expect(postFormSchema.parse({ ...complete, photos: ten }).photos[9]?.file).toBe(picture)
  })

  test('ALT-01 a description has at most 1000 characters', () => {
    const described = (length: number) => [{ ...toPostDraftPhoto(picture), alt: 'a'.repeat(length) }]
    expect(reasons({ photos: described(1000) })).toEqual([])
    expect(reasons({ photos: described(1001) })).toEqual(['photos: Maximum 1000 characters.'])
  })

  test('PCRE-10 PCRE-11 the location has 1 to 1000 characters', () => {
    expect(reasons({ location: '  ' })).toEqual(['location: This field is required'])
    expect(reasons({ location: 'a'.repeat(1000) })).toEqual([])
    expect(reasons({ location: 'a'.repeat(1001) })).toEqual(['location: Maximum 1000 characters.'])
  })

  test('PCRE-12 PCRE-14 the tags text becomes a list of tags, and an empty text an empty list', () => {
    expect(postFormSchema.parse({ ...complete, tags: 'sol y mar, playa' }).tags).toEqual(['solymar', 'playa'])
    expect(postFormSchema.parse({ ...complete, tags: ' , #sol,,' }).tags).toEqual(['sol'])
    expect(postFormSchema.parse(complete).tags).toEqual([])
  })

  test('PCRE-15 an invalid tag shows its error at the tags text', () => {
    expect(reasons({ tags: `sol, ${'a'.repeat(51)}` })).toEqual(['tags: A tag has at most 50 characters.'])
    expect(reasons({ tags: 'a,'.repeat(31) })).toEqual(['tags: At most 30 tags.'])
  })

  test('PCRE-13 a public post sends null as its group, never an empty id', () => {
    expect(postFormSchema.parse(complete).groupId).toBeNull()
    expect(postFormSchema.parse({ ...complete, groupId: 'g1' }).groupId).toBe('g1')
  })
})
