import * as z from 'zod/mini'

/** `followers` are the author's followers, and `group` the members of the post's group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])
