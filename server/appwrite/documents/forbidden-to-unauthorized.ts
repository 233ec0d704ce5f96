import { Failure, toFailure } from '#server/errors.ts'

/** Changes a 403 to 401, as in Appwrite, and keeps our message. */
export async function mapForbiddenToUnauthorized<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const failure = toFailure(error)
    if (failure?.status !== 403) throw error
    throw new Failure('user_unauthorized', { status: 401, message: failure.message, cause: error })
  }
}
