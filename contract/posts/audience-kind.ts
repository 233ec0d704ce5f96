import * as z from 'zod/mini'

/** `followers`: the author's. `group`: members of the post's group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])
