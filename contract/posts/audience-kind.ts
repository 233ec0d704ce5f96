import * as z from 'zod/mini'

/** The members who can see a post: every member, the author's followers, or the members of the post's group. */
export const audienceKindSchema = z.enum(['everyone', 'followers', 'group'])
