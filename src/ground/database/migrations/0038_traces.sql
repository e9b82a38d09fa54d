-- The trace of the request that ordered gifts or caused an event, in the form of the header traceparent: fulfilment and webhooks continue it.
alter table order_requests add column traceparent text;
alter table events add column traceparent text;
