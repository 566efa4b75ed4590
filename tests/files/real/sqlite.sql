PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE fees(Berth text, Length text, Fee integer);
INSERT INTO fees VALUES('North','8 m',120);
INSERT INTO fees VALUES('South','12 m',195);
COMMIT;
