import type { GiftDesk } from '../../../../giving/gifts/claim.ts';
import type { Metrics } from '../../../../ground/metrics.ts';

export interface GiftPageOptions extends GiftDesk {
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
  metrics: Pick<Metrics, 'wrongCodes'>;
}
