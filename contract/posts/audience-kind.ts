import * as z from 'zod/mini'

/** Every member, the author's followers, or the members of the post's group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])
