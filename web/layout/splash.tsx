import { LogoMark } from '#web/ui/brand.tsx'
import { SkeletonRegion } from '#web/ui/skeleton.tsx'

/** Shown until the session is known. Looks like what index.html shows before any script runs. */
export function Splash() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center">
      <SkeletonRegion atOnce>
        {/* Room for the word that it takes long. */}
        <LogoMark className="my-16 size-16" />
      </SkeletonRegion>
    </main>
  )
}
