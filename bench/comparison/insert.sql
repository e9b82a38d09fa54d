insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
values (1, gen_random_uuid(), 1, 1, 'Bench', 'CAD', 'EN_CA', '{"currency": "CAD", "orderItems": [{"amount": 25, "message": "Thank you for the launch!", "recipient": {"email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}}]}');
