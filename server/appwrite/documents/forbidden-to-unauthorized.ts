import { Failure, toFailure } from '#server/errors.ts'

/** Appwrite answers 401 instead of 403. */
export async function mapForbiddenToUnauthorized<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const failure = toFailure(error)
    if (failure?.status !== 403) throw error
    throw new Failure('user_unauthorized', { status: 401, message: failure.message, cause: error })
  }
}
