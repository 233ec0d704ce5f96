import * as z from 'zod/mini'

/** With whom a post is shared: every member, the author's followers alone, or the members of its group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])
