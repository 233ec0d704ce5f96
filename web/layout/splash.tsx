import { LogoMark } from '#web/ui/brand.tsx'
import { SkeletonRegion } from '#web/ui/skeleton.tsx'

/** Appears until the session is known. Looks like the splash screen in index.html. */
export function Splash() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center">
      <SkeletonRegion atOnce>
        {/* Leaves room for the note that appears if loading is slow. */}
        <LogoMark className="my-16 size-16" />
      </SkeletonRegion>
    </main>
  )
}
